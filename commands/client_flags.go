package commands

import (
	"encoding/json"
	"errors"
	"os"
	"slices"

	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// ClientFlags say what is answered when a server asks something of its client,
// and what is shown of what it tells. Nothing is declared to the server that
// these flags, or a person at a terminal, do not stand for.
type ClientFlags struct {
	Root            []string `sep:"none" placeholder:"DIR|URI" group:"client" help:"Tell the server of a folder it may work in; repeatable (see 'mcpq help answers')."`
	Elicit          string   `enum:",ask,accept,decline,cancel" default:"" placeholder:"HOW" group:"client" help:"Answer the server's forms: ask (on the terminal; the default there), accept (with the defaults of the form), decline or cancel."`
	ElicitData      string   `placeholder:"JSON" group:"client" help:"Accept forms with this data, JSON or @FILE, over their defaults; with --elicit ask it fills the form in."`
	ElicitExec      string   `placeholder:"CMD" group:"client" help:"Answer elicitations with a shell command: the request's params on its stdin, the result on its stdout."`
	SampleExec      string   `placeholder:"CMD" xor:"sample" group:"client" help:"Answer sampling with a shell command, in the same way."`
	SampleFile      string   `placeholder:"FILE" xor:"sample" group:"client" help:"Answer sampling with the result in FILE."`
	LogLevel        string   `placeholder:"LEVEL" group:"diagnosis" help:"Ask the server for log messages of LEVEL and above: ${levels}."`
	Progress        string   `enum:"auto,plain,json,none" default:"auto" placeholder:"HOW" group:"diagnosis" help:"Show progress on stderr: auto (on a terminal only), plain, json or none."`
	NoProgressReset bool     `group:"limits" help:"Do not count --timeout anew from progress messages."`
}

// logLevels are those of the protocol, the least important first.
func logLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// What --elicit can be.
const (
	elicitAsk     = "ask"
	elicitAccept  = "accept"
	elicitDecline = "decline"
	elicitCancel  = "cancel"
)

// answers are the client flags, checked and read.
type answers struct {
	roots      []mcp.Root
	elicit     string         // how forms are answered; "" is not at all
	data       rawjson.Object // of --elicit-data
	elicitExec string
	sampleExec string
	sample     json.RawMessage // of --sample-file
}

// answers checks the flags; nothing has been sent yet. terminal tells whether a
// person can be expected at one, device whether there is one at all.
func (f *ClientFlags) answers(terminal bool, device func() bool, in *inputs) (*answers, error) {
	a := &answers{elicit: f.Elicit, elicitExec: f.ElicitExec, sampleExec: f.SampleExec}
	if f.LogLevel != "" && !slices.Contains(logLevels(), f.LogLevel) {
		return nil, unknownChoice("--log-level", f.LogLevel, logLevels())
	}
	var err error
	if a.roots, err = roots(f.Root); err != nil {
		return nil, err
	}
	switch given := f.ElicitData != ""; {
	case f.ElicitExec != "" && (given || f.Elicit != ""):
		return nil, usagef("--elicit-exec answers elicitations alone: leave --elicit and --elicit-data out")
	case given && (f.Elicit == elicitDecline || f.Elicit == elicitCancel):
		return nil, usagef("--elicit-data goes with --elicit accept or ask, not with %s", f.Elicit)
	case given:
		if a.data, err = in.elicitData(f.ElicitData); err != nil {
			return nil, err
		}
		if f.Elicit == "" {
			a.elicit = elicitAccept
		}
	case f.Elicit == "" && f.ElicitExec == "" && terminal:
		if device() {
			a.elicit = elicitAsk
		}
	}
	if f.Elicit == elicitAsk && !device() {
		return nil, &UsageError{
			Err:  errors.New("--elicit ask: there is no terminal to ask on"),
			Hint: "--elicit accept, --elicit-data and --elicit-exec answer without one",
		}
	}
	if f.SampleFile != "" {
		raw, err := os.ReadFile(f.SampleFile)
		if err == nil {
			a.sample, err = sampleResult(raw)
		}
		if err != nil {
			return nil, usagef("--sample-file: %w", err)
		}
	}
	return a, nil
}

// elicitData reads the object of --elicit-data.
func (i *inputs) elicitData(value string) (rawjson.Object, error) {
	const what = "--elicit-data"
	if value == "-" || value == "@-" {
		return nil, usagef("%s: write JSON or @FILE; standard input is for arguments", what)
	}
	raw, err := i.jsonParam(what, value)
	if err != nil {
		return nil, err
	}
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil, usagef("%s: not an object", what)
	}
	return object, nil
}
