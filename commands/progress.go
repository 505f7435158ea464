package commands

import (
	"io"

	"mcpq/mcp"
	"mcpq/output"
)

// newProgress is how progress is shown: as the flag says, and by itself only on
// a terminal. With -v there are lines instead.
func (r *runner) newProgress() *output.Progress {
	style := output.ProgressNone
	switch r.grammar.Progress {
	case "plain":
		style = output.ProgressPlain
	case "json":
		style = output.ProgressJSON
	case "auto":
		if r.env.ErrTTY && r.grammar.Verbose == 0 && r.env.Getenv("TERM") != "dumb" {
			style = output.ProgressBar
		}
	}
	return output.NewProgress(r.messages, style, r.env.Width)
}

// showProgress takes a notification.
func (r *runner) showProgress(p mcp.Progress) {
	if r.grammar.Progress == "auto" && r.grammar.Verbose > 0 {
		r.messages.Line("* progress " + string(p.Params))
		return
	}
	r.progress.Step(output.Step{
		Method: p.Method, Progress: p.Progress, Total: p.Total, Message: p.Message, Params: p.Params,
	})
}

// stdout is standard output; on a terminal progress makes room for it.
func (r *runner) stdout() io.Writer {
	if r.env.OutTTY && r.env.ErrTTY {
		return r.messages.Beside(r.env.Out)
	}
	return r.env.Out
}
