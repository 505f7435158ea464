package mcptest

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// parseProcessStep reads the steps that touch the process and its pipes.
func (r *rule) parseProcessStep(word, rest string) (step, error) {
	text, err := parseTemplate(rest)
	if err != nil {
		return nil, err
	}
	switch word {
	case "exit":
		r.answers = true
		code, err := strconv.Atoi(rest)
		return func(t *turn) error { return t.server.proc.exit(code) }, err
	case "kill":
		r.answers = true
		return func(t *turn) error { return t.server.proc.kill() }, nil
	case "stderr":
		return func(t *turn) error {
			line, err := text.text(t)
			if err != nil {
				return err
			}
			_, err = io.WriteString(t.server.proc.stderr(), line+"\n")
			return err
		}, nil
	case "print":
		return func(t *turn) error {
			return onStdout(t, word, func(w io.Writer) error {
				if err := text.expand(w, t); err != nil {
					return err
				}
				_, err := io.WriteString(w, "\n")
				return err
			})
		}, nil
	case "flood":
		return parseFlood(rest)
	case "close-stdout":
		return func(t *turn) error {
			out := t.server.proc.stdout()
			if out == nil {
				return &UnsupportedError{Step: word}
			}
			return out.Close()
		}, nil
	case "spawn":
		file, kind := cutWord(rest)
		if kind == "" {
			kind = "plain"
		}
		err := choose(new(string), kind, "plain", "stubborn", "heir")
		return func(t *turn) error { return t.server.proc.spawn(file, kind) }, err
	}
	return nil, fmt.Errorf("unknown step %q", word)
}

// floodLine is what a flood consists of.
const floodLine = "this line is no message and there are very many of them ..........................\n"

func parseFlood(rest string) (step, error) {
	var where string
	name, amount := cutWord(rest)
	if err := choose(&where, name, "stdout", "stderr"); err != nil {
		return nil, err
	}
	n, err := parseSize(amount)
	if err != nil {
		return nil, err
	}
	lines := template{repeat(n/len(floodLine)+1, floodLine)}
	return func(t *turn) error {
		if where == "stderr" {
			return lines.expand(t.server.proc.stderr(), t)
		}
		return onStdout(t, "flood", func(w io.Writer) error { return lines.expand(w, t) })
	}, nil
}

// onStdout writes bytes that are no message; it is not an answer.
func onStdout(t *turn, word string, body write) error {
	if t.server.proc.stdout() == nil {
		return &UnsupportedError{Step: word}
	}
	return t.sink.raw(t, body)
}

// oneLine keeps reports of failed steps to one line each.
func oneLine(err error) string {
	return strings.ReplaceAll(err.Error(), "\n", " ")
}
