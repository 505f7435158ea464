package commands

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"mcpq/mcp"
)

// ServerFlags say which server is meant and how it is dealt with.
type ServerFlags struct {
	Server         string   `short:"s" placeholder:"SERVER" group:"server" help:"The server: a URL, 'stdio:COMMAND ARG…', unix:PATH, tcp:HOST:PORT, demo:, or the NAME of one in a config file (see 'mcpq help servers' and 'mcpq help config'). Default: $MCPQ_SERVER."`
	Config         string   `placeholder:"FILE" group:"server" help:"Look for the server NAME in FILE before any other config file."`
	Header         []string `short:"H" sep:"none" placeholder:"'NAME: VALUE'" group:"server" help:"Add an HTTP header."`
	Env            []string `sep:"none" placeholder:"NAME=VALUE" group:"server" help:"Set a variable in the environment of a server command."`
	InheritEnv     bool     `group:"server" help:"Give a server command from a config file the whole environment."`
	Cwd            string   `placeholder:"DIR" group:"server" help:"Start a server command in DIR."`
	Protocol       string   `placeholder:"VERSION" default:"auto" group:"server" help:"Protocol version: auto, ${versions}."`
	TransportFlags `embed:""`

	ConnectTimeout Duration `placeholder:"TIME" default:"30s" group:"limits" help:"Limit for start, connection and handshake (${default}; 0 is none)."`
	Timeout        Duration `placeholder:"TIME" default:"60s" group:"limits" help:"Limit for each request, counted anew from every progress message (${default}; 0 is none)."`
	MaxTime        Duration `placeholder:"TIME" group:"limits" help:"Limit for the whole run."`
	Grace          Duration `placeholder:"TIME" default:"2s" group:"limits" help:"How long a server may take for each step of its end (${default})."`
	Verbose        int      `short:"v" type:"counter" group:"diagnosis" help:"Say what happens and how long it takes, and show the server's stderr; twice: show every message, and HTTP headers."`
	Trace          string   `placeholder:"FILE" group:"diagnosis" help:"Write every message to FILE, or - for stderr, as NDJSON, without secrets."`
	Errors         string   `enum:"text,json" default:"text" placeholder:"FORM" group:"diagnosis" help:"Tell a failure as text, or as one line of json (see 'mcpq help exit-codes')."`
}

// headers parses the -H flags.
func (s *ServerFlags) headers() (http.Header, error) {
	h := make(http.Header)
	for _, line := range s.Header {
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !validHeader(name, value) {
			return nil, usagef("bad header %q: write 'NAME: VALUE'", line)
		}
		h.Add(name, value)
	}
	return h, nil
}

func validHeader(name, value string) bool {
	for _, r := range name {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) {
			return false
		}
	}
	for i := range len(value) {
		if value[i] < ' ' && value[i] != '\t' || value[i] == 0x7f {
			return false
		}
	}
	return name != ""
}

// version gives the protocol version to pin; empty for auto.
func (s *ServerFlags) version() (string, error) {
	if s.Protocol == "auto" {
		return "", nil
	}
	for _, v := range mcp.Versions() {
		if v == s.Protocol {
			return v, nil
		}
	}
	return "", unknownChoice("--protocol", s.Protocol, append([]string{"auto"}, mcp.Versions()...))
}

// Duration is a time on the command line: 1.5s, 2m, or a number of seconds.
type Duration time.Duration

// UnmarshalText parses it.
func (d *Duration) UnmarshalText(text []byte) error {
	s := string(text)
	if seconds, err := strconv.ParseFloat(s, 64); err == nil {
		const most = float64(1<<63-1) / float64(time.Second)
		if !(seconds >= 0 && seconds < most) {
			return fmt.Errorf("bad time %q", s)
		}
		*d = Duration(seconds * float64(time.Second))
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return fmt.Errorf("bad time %q: write 500ms, 1.5s, 2m or a number of seconds", s)
	}
	*d = Duration(v)
	return nil
}

// limit is the duration for a library that takes 0 as its default and less
// than 0 as none.
func (d Duration) limit() time.Duration {
	if d == 0 {
		return -1
	}
	return time.Duration(d)
}
