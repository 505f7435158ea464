package mcptest

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// addStep reads one indented line.
func (r *rule) addStep(line string) error {
	st, err := r.parseStep(line)
	if err == nil {
		r.steps = append(r.steps, st)
	}
	return err
}

// parseStep reads a step and notes in the rule what its kind means for it.
func (r *rule) parseStep(line string) (step, error) {
	word, rest := cutWord(line)
	switch word {
	case "times", "every":
		return r.parseLoop(word, rest)
	case "status", "header", "body", "redirect", "sse", "comment", "event-id",
		"prime", "retry", "end", "abort", "reset", "bad-chunk":
		return r.parseHTTPStep(word, rest)
	case "exit", "kill", "stderr", "print", "flood", "close-stdout", "spawn":
		return r.parseProcessStep(word, rest)
	case "raw":
		if text, err := strconv.Unquote(rest); err == nil {
			rest = text
		}
	}
	text, err := parseTemplate(rest)
	if err != nil {
		return nil, err
	}
	switch word {
	case "default":
		r.answers = true
		return (*turn).wellBehaved, nil
	case "result":
		r.answers = true
		return func(t *turn) error { return t.respond("result", text) }, nil
	case "error":
		r.answers = true
		return parseError(rest)
	case "reply":
		r.answers = true
		return func(t *turn) error { return t.send(text, false) }, nil
	case "raw":
		r.answers = true
		return func(t *turn) error {
			return t.sink.raw(t, func(w io.Writer) error { return text.expand(w, t) })
		}, nil
	case "hang":
		r.answers, r.blocks = true, true
		return func(t *turn) error { return t.sink.hang(t) }, nil
	case "send":
		return func(t *turn) error { return t.send(text, true) }, nil
	case "notify", "request":
		return r.parseOutgoing(word, rest)
	case "wait":
		r.blocks = true
		d, err := time.ParseDuration(rest)
		return func(t *turn) error { return pause(t.ctx, d) }, err
	case "chunk":
		r.blocks = true
		p, err := parsePace(rest)
		return func(t *turn) error { t.pace = p; return nil }, err
	case "lose-sessions":
		return func(t *turn) error { t.server.loseSessions(); return nil }, nil
	case "log":
		return func(t *turn) error {
			line, err := text.text(t)
			t.server.record.line(line)
			return err
		}, nil
	}
	return nil, fmt.Errorf("unknown step %q", word)
}

// send writes the text as one message.
func (t *turn) send(text template, news bool) error {
	return t.sink.message(t, func(w io.Writer) error { return text.expand(w, t) }, news)
}

// respond writes a response to the message of this turn.
func (t *turn) respond(member string, value template) error {
	return t.sink.message(t, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%q:`, orNull(t.msg.ID), member)
		if err != nil {
			return err
		}
		if err := value.expand(w, t); err != nil {
			return err
		}
		_, err = io.WriteString(w, "}")
		return err
	}, false)
}

// parseError reads CODE MESSAGE, or CODE "MESSAGE" DATA.
func parseError(rest string) (step, error) {
	code, message := cutWord(rest)
	number, err := strconv.Atoi(code)
	if err != nil {
		return nil, fmt.Errorf("not an error code: %q", code)
	}
	object := fmt.Sprintf(`{"code":%d,"message":`, number)
	if quoted, err := strconv.QuotedPrefix(message); err == nil {
		object += quoted
		if data := strings.TrimSpace(message[len(quoted):]); data != "" {
			object += `,"data":` + data
		}
	} else {
		object += string(quote(message))
	}
	text, err := parseTemplate(object + "}")
	return func(t *turn) error {
		t.errorStatus(number)
		return t.respond("error", text)
	}, err
}

func (r *rule) parseOutgoing(word, rest string) (step, error) {
	method, rest := cutWord(rest)
	params, err := parseTemplate(rest)
	if err != nil {
		return nil, err
	}
	if word == "request" {
		r.blocks = true
		return func(t *turn) error { return t.ask(method, params) }, nil
	}
	return func(t *turn) error {
		return t.sink.message(t, t.outgoing("", method, params), true)
	}, nil
}

func (r *rule) parseLoop(word, rest string) (step, error) {
	amount, line := cutWord(rest)
	body, err := r.parseStep(line)
	if err != nil {
		return nil, err
	}
	if word == "times" {
		n, err := parseSize(amount)
		return func(t *turn) error {
			for range n {
				if err := body(t); err != nil {
					return err
				}
			}
			return nil
		}, err
	}
	r.blocks, r.answers = true, true
	d, err := time.ParseDuration(amount)
	return func(t *turn) error {
		for {
			if err := body(t); err != nil {
				return err
			}
			if err := pause(t.ctx, d); err != nil {
				return err
			}
		}
	}, err
}
