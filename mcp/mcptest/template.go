package mcptest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// template is the text of a step with its substitutions found.
type template []piece

// piece writes one part of a template.
type piece func(w io.Writer, t *turn) error

// expand writes the text for one message. Large repetitions are never held.
func (tp template) expand(w io.Writer, t *turn) error {
	for _, p := range tp {
		if err := p(w, t); err != nil {
			return err
		}
	}
	return nil
}

// text is expand for texts that are small.
func (tp template) text(t *turn) (string, error) {
	var b bytes.Buffer
	err := tp.expand(&b, t)
	return b.String(), err
}

func parseTemplate(text string) (template, error) {
	var tp template
	for text != "" {
		i := strings.IndexByte(text, '$')
		if i < 0 {
			return append(tp, literal(text)), nil
		}
		if i > 0 {
			tp = append(tp, literal(text[:i]))
		}
		text = text[i+1:]
		if strings.HasPrefix(text, "$") {
			tp, text = append(tp, literal("$")), text[1:]
			continue
		}
		n := 0
		for n < len(text) && 'A' <= text[n] && text[n] <= 'Z' {
			n++
		}
		if n == 0 {
			tp = append(tp, literal("$"))
			continue
		}
		name := text[:n]
		text = text[n:]
		var p piece
		var err error
		if strings.HasPrefix(text, "(") {
			end := strings.IndexByte(text, ')')
			if end < 0 {
				return nil, fmt.Errorf("$%s( is not closed", name)
			}
			p, err = function(name, text[1:end])
			text = text[end+1:]
		} else {
			p, err = variable(name)
		}
		if err != nil {
			return nil, err
		}
		tp = append(tp, p)
	}
	return tp, nil
}

func literal(s string) piece {
	return func(w io.Writer, _ *turn) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// computed is a piece whose text depends on the message.
func computed(f func(t *turn) string) (piece, error) {
	return func(w io.Writer, t *turn) error {
		_, err := io.WriteString(w, f(t))
		return err
	}, nil
}

func variable(name string) (piece, error) {
	switch name {
	case "ID":
		return computed(func(t *turn) string { return string(orNull(t.msg.ID)) })
	case "PARAMS":
		return computed(func(t *turn) string { return string(orNull(t.msg.Params)) })
	case "ARGS":
		return computed(func(t *turn) string { return string(orNull(t.msg.params.Arguments)) })
	case "TOKEN":
		return computed(func(t *turn) string { return string(orNull(t.msg.params.Meta["progressToken"])) })
	case "METHOD":
		return computed(func(t *turn) string { return inString(t.msg.Method) })
	case "NAME":
		return computed(func(t *turn) string { return inString(t.msg.name()) })
	case "CURSOR":
		return computed(func(t *turn) string {
			if t.msg.params.Cursor == nil {
				return ""
			}
			return inString(*t.msg.params.Cursor)
		})
	case "VERSION":
		return computed(func(t *turn) string { return inString(t.msg.version()) })
	case "ANSWER":
		return computed(func(t *turn) string { return string(orNull(t.answer)) })
	case "ORIGIN":
		return computed(func(t *turn) string { return t.origin() })
	case "PORT":
		return computed(func(t *turn) string {
			o := t.origin()
			return o[strings.LastIndexByte(o, ':')+1:]
		})
	case "N":
		return computed(func(t *turn) string { return strconv.Itoa(t.run) })
	case "PID":
		return computed(func(*turn) string { return strconv.Itoa(os.Getpid()) })
	case "NL":
		return literal("\n"), nil
	}
	return nil, fmt.Errorf("unknown substitution $%s", name)
}

func function(name, arg string) (piece, error) {
	switch name {
	case "ARG":
		return computed(func(t *turn) string {
			var args map[string]json.RawMessage
			_ = json.Unmarshal(t.msg.params.Arguments, &args)
			return string(orNull(args[arg]))
		})
	case "HEADER":
		return computed(func(t *turn) string { return inString(t.header(arg)) })
	case "ENV":
		return computed(func(*turn) string { return os.Getenv(arg) })
	case "BYTES":
		b, err := hex.DecodeString(strings.ReplaceAll(arg, " ", ""))
		return literal(string(b)), err
	case "REPEAT", "LIST":
		count, text, ok := strings.Cut(arg, ",")
		n, err := parseSize(count)
		if err != nil || !ok {
			return nil, fmt.Errorf("$%s wants (COUNT,TEXT), not (%s)", name, arg)
		}
		if name == "LIST" {
			return list(n, text), nil
		}
		return repeat(n, text), nil
	}
	return nil, fmt.Errorf("unknown substitution $%s(…)", name)
}

// repeatBlock is how much of a repetition goes out with one write.
const repeatBlock = 32 << 10

func repeat(n int, text string) piece {
	return func(w io.Writer, _ *turn) error {
		if text == "" {
			return nil
		}
		block := []byte(strings.Repeat(text, min(n, repeatBlock/len(text)+1)))
		for left := n * len(text); left > 0; left -= len(block) {
			if _, err := w.Write(block[:min(left, len(block))]); err != nil {
				return err
			}
		}
		return nil
	}
}

func list(n int, text string) piece {
	return func(w io.Writer, _ *turn) error {
		for i := range n {
			item := strings.ReplaceAll(text, "$I", strconv.Itoa(i))
			if i > 0 {
				item = "," + item
			}
			if _, err := io.WriteString(w, item); err != nil {
				return err
			}
		}
		return nil
	}
}

// inString returns s as it stands between the quotes of a JSON string.
func inString(s string) string {
	q := quote(s)
	return string(q[1 : len(q)-1])
}
