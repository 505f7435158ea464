package transport

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"mcpq/mcp/jsonrpc"
)

// ConnectError is a server that could not be started or reached.
type ConnectError struct {
	Target string // the command or URL
	Err    error
}

func (e *ConnectError) Error() string { return fmt.Sprintf("%s: %v", e.Target, e.Err) }
func (e *ConnectError) Unwrap() error { return e.Err }

// ExitError is a server process that ended while it was needed.
type ExitError struct {
	Command string
	Status  string   // "exit status 9", "signal: killed", …
	Stderr  []string // the last lines it wrote there
	Err     error    // what the connection saw
}

func (e *ExitError) Error() string {
	s := fmt.Sprintf("%s ended (%s)", e.Command, e.Status)
	var closed *jsonrpc.ClosedError
	if errors.As(e.Err, &closed) && closed.OnlyNoise {
		s += "; " + closed.Error()
	}
	if words := lastWords(e.Stderr); len(words) > 0 {
		s += "; its last words: " + strings.Join(words, " / ")
	}
	return s
}

func (e *ExitError) Unwrap() error { return e.Err }

// lastWords chooses what to repeat of the last lines: the end of them, and the
// line that names the error where a stack trace has pushed it up.
func lastWords(lines []string) []string {
	const shown = 3
	if len(lines) <= shown {
		return lines
	}
	end := lines[len(lines)-shown:]
	for _, line := range lines[:len(lines)-shown] {
		lower := strings.ToLower(line)
		if strings.Contains(lower, "error:") || strings.HasPrefix(lower, "panic:") || strings.HasPrefix(lower, "fatal") {
			return []string{line, "…", end[shown-1]}
		}
	}
	return end
}

// HTTPError is an HTTP answer other than success.
type HTTPError struct {
	Method string // of the HTTP request
	URL    string
	Status int
	Header http.Header
	Body   string         // the beginning of it, as text
	RPC    *jsonrpc.Error // the JSON-RPC error in it, if there was one
}

func (e *HTTPError) Error() string {
	s := fmt.Sprintf("HTTP %d %s", e.Status, http.StatusText(e.Status))
	if e.RPC != nil {
		return s + ": " + e.RPC.Error()
	}
	if e.Body != "" {
		s += fmt.Sprintf(": %q", e.Body)
	}
	return s
}

// Unwrap gives the JSON-RPC error, when there is one.
func (e *HTTPError) Unwrap() error {
	if e.RPC == nil {
		return nil
	}
	return e.RPC
}

// AuthError is a 401 or 403: the server wants other credentials, or none will do.
type AuthError struct {
	*HTTPError
	Challenge []string // WWW-Authenticate
}

func (e *AuthError) Error() string {
	s := e.HTTPError.Error()
	if len(e.Challenge) > 0 {
		s += " (WWW-Authenticate: " + strings.Join(e.Challenge, ", ") + ")"
	}
	return s
}

// Unwrap gives nothing: a JSON-RPC error that came with the refusal is no
// answer to a request.
func (e *AuthError) Unwrap() error { return nil }

// As gives the *HTTPError.
func (e *AuthError) As(target any) bool { return e.HTTPError.asTarget(target) }

// AuthorizationError is an error of a RoundTripper that authorizes requests: it
// is about the authorization, and says nothing of the connection or the server.
type AuthorizationError interface {
	error
	Authorization()
}

// SessionError is a session that the server no longer knows (HTTP 404).
type SessionError struct{ *HTTPError }

func (e *SessionError) Error() string { return "session lost: " + e.HTTPError.Error() }

// Unwrap gives nothing, as that of AuthError.
func (e *SessionError) Unwrap() error { return nil }

// As gives the *HTTPError.
func (e *SessionError) As(target any) bool { return e.HTTPError.asTarget(target) }

func (e *HTTPError) asTarget(target any) bool {
	t, ok := target.(**HTTPError)
	if ok {
		*t = e
	}
	return ok
}

// RedirectError is a redirect that is not followed.
type RedirectError struct {
	From, To string
	Reason   string
}

func (e *RedirectError) Error() string {
	return fmt.Sprintf("redirect from %s to %s refused: %s", e.From, e.To, e.Reason)
}

// ContentError is a reply that is no MCP message by its type.
type ContentError struct {
	URL         string
	ContentType string
	Body        string // the beginning of it
}

func (e *ContentError) Error() string {
	if strings.HasPrefix(e.ContentType, "application/json") {
		return fmt.Sprintf("reply is no JSON-RPC message: %q", e.Body)
	}
	return fmt.Sprintf("reply is %q instead of application/json or text/event-stream: %q", e.ContentType, e.Body)
}

// BrokenError is a reply that broke off before the response had come.
type BrokenError struct {
	URL string
	Err error // nil: it ended cleanly, too early
}

func (e *BrokenError) Error() string {
	if e.Err == nil {
		return "reply stream ended without the response"
	}
	return "reply broke off: " + e.Err.Error()
}

func (e *BrokenError) Unwrap() error { return e.Err }
