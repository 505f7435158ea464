package mcptest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// Script says how a server behaves; see the package comment for the language.
// A Script is never changed by running it, so several servers may share one.
type Script struct {
	eras         string
	versions     []string
	info         json.RawMessage
	capabilities json.RawMessage
	instructions string
	tools        []json.RawMessage
	toolNames    map[string]bool
	pageSize     int

	recordFile string
	recordTo   io.Writer
	pidFile    string

	contentLength bool
	lineEnd       string
	pace          pace
	ignore        map[string]bool

	session  string
	sse      bool
	oldSSE   bool
	endpoint string

	rules []*rule
}

// ScriptError is a mistake in a script.
type ScriptError struct {
	Line int // from 1
	Text string
}

func (e *ScriptError) Error() string {
	return fmt.Sprintf("script line %d: %s", e.Line, e.Text)
}

// pace is how output is cut: size bytes a write, so long apart. Size 0 does not cut.
type pace struct {
	size  int
	delay time.Duration
}

// Parse reads a script. The empty script is a well-behaved server.
func Parse(text string) (*Script, error) {
	s := &Script{
		eras:      "stateful",
		info:      json.RawMessage(`{"name":"mcptest","version":"1.0.0"}`),
		toolNames: map[string]bool{},
		lineEnd:   "\n",
		ignore:    map[string]bool{},
		session:   "session",
		endpoint:  "/message?session=1",
	}
	var open *rule
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r")
		body := strings.TrimSpace(line)
		if body == "" || strings.HasPrefix(body, "#") {
			continue
		}
		var err error
		switch indented := line[0] == ' ' || line[0] == '\t'; {
		case indented && open == nil:
			err = fmt.Errorf("a step outside a rule: %s", body)
		case indented:
			err = open.addStep(body)
		default:
			open, err = s.margin(body)
		}
		if err != nil {
			return nil, &ScriptError{Line: i + 1, Text: err.Error()}
		}
	}
	s.fillDefaults()
	return s, nil
}

// MustParse is Parse for a script that is part of a test; it panics.
func MustParse(text string) *Script {
	s, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return s
}

// ParseFile reads the script in a file.
func ParseFile(name string) (*Script, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	s, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// RecordTo returns a copy of the script that writes its record to w, one Write
// a line, none at the same time as another of the same server.
func (s *Script) RecordTo(w io.Writer) *Script {
	c := *s
	c.recordTo = w
	return &c
}

// margin reads a line that starts at the margin: a setting, or the head of the
// rule it returns.
func (s *Script) margin(line string) (*rule, error) {
	word, rest := cutWord(line)
	if word == "on" {
		r, err := parseRule(rest)
		if err == nil {
			s.rules = append(s.rules, r)
		}
		return r, err
	}
	return nil, s.set(word, rest)
}

func (s *Script) set(word, rest string) (err error) {
	switch word {
	case "era":
		return choose(&s.eras, rest, "stateful", "stateless", "both")
	case "versions":
		s.versions = strings.Split(rest, ",")
	case "info":
		return setJSON(&s.info, rest)
	case "capabilities":
		return setJSON(&s.capabilities, rest)
	case "instructions":
		s.instructions = rest
	case "tool":
		return s.addTool(rest)
	case "tools":
		return s.addTools(rest)
	case "record":
		s.recordFile = rest
	case "pid":
		s.pidFile = rest
	case "framing":
		var kind string
		err = choose(&kind, rest, "newline", "content-length")
		s.contentLength = kind == "content-length"
	case "line-end":
		var kind string
		err = choose(&kind, rest, "lf", "crlf")
		s.lineEnd = lineEnd(kind)
	case "chunk":
		s.pace, err = parsePace(rest)
	case "ignore":
		for _, what := range strings.Fields(rest) {
			if err := choose(new(string), what, "eof", "term", "int", "hup"); err != nil {
				return err
			}
			s.ignore[what] = true
		}
	case "session":
		s.session = rest
	case "answers":
		var kind string
		err = choose(&kind, rest, "json", "sse")
		s.sse = kind == "sse"
	case "transport":
		var kind string
		err = choose(&kind, rest, "http", "http+sse")
		s.oldSSE = kind == "http+sse"
	case "endpoint":
		s.endpoint = rest
	default:
		return fmt.Errorf("unknown setting %q", word)
	}
	return err
}

func (s *Script) addTool(rest string) error {
	name, members := cutWord(rest)
	tool := map[string]json.RawMessage{"inputSchema": json.RawMessage(`{"type":"object"}`)}
	if members != "" {
		if err := json.Unmarshal([]byte(members), &tool); err != nil {
			return fmt.Errorf("tool %q: %w", name, err)
		}
	}
	tool["name"] = quote(name)
	definition, err := json.Marshal(tool)
	if err != nil {
		return err
	}
	s.tools = append(s.tools, definition)
	s.toolNames[name] = true
	return nil
}

func (s *Script) addTools(rest string) error {
	count, size, _ := strings.Cut(rest, " ")
	n, err := parseSize(count)
	if err != nil {
		return err
	}
	if s.pageSize, err = parseSize(size); err != nil {
		return err
	}
	for i := range n {
		description := fmt.Sprintf(`{"description":"Tool number %d of a long list.","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`, i)
		if err := s.addTool(fmt.Sprintf("tool-%d %s", i, description)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Script) fillDefaults() {
	if s.tools == nil {
		for _, name := range []string{"ok", "echo", "fail", "die"} {
			// The names are words, so this cannot fail.
			_ = s.addTool(name)
		}
	}
	if s.capabilities == nil {
		s.capabilities = json.RawMessage(`{"tools":{}}`)
	}
	if s.versions == nil {
		if s.speaks("stateless") {
			s.versions = append(s.versions, statelessVersion)
		}
		if s.speaks("stateful") {
			s.versions = append(s.versions, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
		}
	}
}

func (s *Script) speaks(era string) bool { return s.eras == era || s.eras == "both" }

func choose(to *string, word string, allowed ...string) error {
	for _, a := range allowed {
		if word == a {
			*to = word
			return nil
		}
	}
	return fmt.Errorf("%q is none of %s", word, strings.Join(allowed, ", "))
}

func setJSON(to *json.RawMessage, text string) error {
	if !json.Valid([]byte(text)) {
		return fmt.Errorf("not JSON: %s", text)
	}
	*to = json.RawMessage(text)
	return nil
}

func lineEnd(kind string) string {
	switch kind {
	case "crlf":
		return "\r\n"
	case "cr":
		return "\r"
	default:
		return "\n"
	}
}

func parsePace(text string) (p pace, err error) {
	size, delay := cutWord(text)
	if p.size, err = parseSize(size); err != nil {
		return p, err
	}
	if delay != "" {
		p.delay, err = time.ParseDuration(delay)
	}
	return p, err
}

// parseSize reads a number with an optional K, M or G (powers of a thousand).
func parseSize(text string) (int, error) {
	text = strings.TrimSpace(text)
	unit := 1
	if text != "" {
		if i := strings.IndexByte("KMG", text[len(text)-1]); i >= 0 {
			text = text[:len(text)-1]
			for range i + 1 {
				unit *= 1000
			}
		}
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("not a size: %q", text)
	}
	return n * unit, nil
}

func cutWord(s string) (word, rest string) {
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimSpace(s[i:])
}

func quote(s string) json.RawMessage {
	// A string always has a JSON form.
	b, _ := json.Marshal(s)
	return b
}
