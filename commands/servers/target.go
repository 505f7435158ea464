// Package servers turns what a user calls a server into a [Target]: plain data
// that says where it is. It starts and connects nothing.
//
// A name stands for an [Entry] of a config file, ours or that of another
// client: [Places] knows where such files are and reads them, an [Expander]
// fills in the variables of an entry, a [TrustStore] remembers which of a
// project's entries may be used, and [Edit] changes a file of ours.
package servers

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Kind is how a server is reached.
type Kind int

// The kinds of targets.
const (
	Command Kind = iota // a process to be started
	HTTP                // a URL
	Demo                // the server built into this program
	Socket              // a Unix or TCP socket
	Named               // what a config file has under a name
)

// Target is a server.
type Target struct {
	Kind Kind
	Args []string // Command: program and arguments
	URL  string   // HTTP

	Network, Address string // Socket: unix and a path, or tcp and host:port

	Name string // Named, and what an entry of that name stands for
}

// ErrNone is returned when no server was named.
var ErrNone = errors.New("no server given: name one with -- COMMAND [ARG…], -s SERVER or MCPQ_SERVER")

// Resolve finds the one server that is meant: by the words behind --, by the
// flag, or else by the environment. All errors are mistakes of the user.
func Resolve(command []string, dashes bool, flag, environment string) (*Target, error) {
	switch {
	case dashes && flag != "":
		return nil, fmt.Errorf("two servers given: -s %s and the command behind --", flag)
	case dashes && len(command) == 0:
		return nil, errors.New("no command behind --")
	case dashes:
		return &Target{Kind: Command, Args: command}, nil
	case flag != "":
		return parse(flag)
	case environment != "":
		t, err := parse(environment)
		if err != nil {
			return nil, fmt.Errorf("MCPQ_SERVER: %w", err)
		}
		return t, nil
	}
	return nil, ErrNone
}

func parse(spec string) (*Target, error) {
	if isDrivePath(spec) {
		return nil, fmt.Errorf("%q is a path: -- COMMAND starts a program", spec)
	}
	scheme, rest, colon := strings.Cut(spec, ":")
	if !colon && spec != "" {
		return &Target{Kind: Named, Name: spec}, nil
	}
	switch strings.ToLower(scheme) {
	case "http", "https":
		u, err := url.Parse(spec)
		if err != nil {
			var urlErr *url.Error
			if errors.As(err, &urlErr) {
				err = urlErr.Err
			}
			return nil, fmt.Errorf("bad server URL %q: %w", spec, err)
		}
		if u.Host == "" {
			return nil, fmt.Errorf("bad server URL %q: it has no host", spec)
		}
		u.Fragment = ""
		return &Target{Kind: HTTP, URL: u.String()}, nil
	case "stdio":
		args, err := Words(rest)
		if err != nil {
			return nil, fmt.Errorf("bad server command %q: %w", rest, err)
		}
		if len(args) == 0 {
			return nil, errors.New("no command in -s stdio:")
		}
		return &Target{Kind: Command, Args: args}, nil
	case "unix":
		if rest == "" {
			return nil, errors.New("no path in -s unix:")
		}
		return &Target{Kind: Socket, Network: "unix", Address: rest}, nil
	case "tcp":
		rest = strings.TrimPrefix(rest, "//") // as URLs have it
		if _, port, err := net.SplitHostPort(rest); err != nil || port == "" {
			return nil, fmt.Errorf("bad server %q: write tcp:HOST:PORT", spec)
		}
		return &Target{Kind: Socket, Network: "tcp", Address: rest}, nil
	case "demo":
		if rest == "" && strings.HasSuffix(spec, ":") {
			return &Target{Kind: Demo}, nil
		}
	default:
		if spec != "" && !strings.HasPrefix(rest, "//") {
			return &Target{Kind: Named, Name: spec}, nil
		}
	}
	return nil, fmt.Errorf("unknown server %q: name one by its http or https URL, stdio:COMMAND, unix:PATH, tcp:HOST:PORT, demo: or its NAME in a config file", spec)
}
