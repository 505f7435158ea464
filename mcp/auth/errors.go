package auth

import (
	"fmt"
	"strings"
)

// Error is what a [Transport] returns when there is no way to be authorized.
// It wraps one of the other errors of this package, or that of a context.
type Error struct {
	Server string // the URL of the MCP server
	Err    error
}

func (e *Error) Error() string { return fmt.Sprintf("authorization for %s: %v", e.Server, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Authorization marks the error as one about authorization and not about the
// connection on which it was met.
func (e *Error) Authorization() {}

// LoginRequiredError is a server that wants a login, where none is allowed.
type LoginRequiredError struct {
	Server string
	Scopes []string // more scopes than there is a login for; empty for none at all
}

func (e *LoginRequiredError) Error() string {
	if len(e.Scopes) > 0 {
		return fmt.Sprintf("a new login is needed, for the scopes %q", strings.Join(e.Scopes, " "))
	}
	return "a login is needed"
}

// MetadataError is metadata that must not be used.
type MetadataError struct {
	URL    string
	Reason string
}

func (e *MetadataError) Error() string {
	return fmt.Sprintf("metadata of %s refused: %s", e.URL, e.Reason)
}

// BlockedError is a URL named by a server to which nothing is sent.
type BlockedError struct {
	URL    string
	Reason string
}

func (e *BlockedError) Error() string { return fmt.Sprintf("%s refused: %s", e.URL, e.Reason) }

// FetchError is a URL that could not be reached or gave no usable answer.
type FetchError struct {
	URL    string
	Status int // 0: no answer
	Err    error
}

func (e *FetchError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s: HTTP %d", e.URL, e.Status)
	}
	return fmt.Sprintf("%s: %v", e.URL, e.Err)
}

func (e *FetchError) Unwrap() error { return e.Err }

// TokenError is a token endpoint that refused.
type TokenError struct {
	Endpoint    string
	Status      int
	Code        string // such as invalid_grant
	Description string
}

func (e *TokenError) Error() string {
	s := fmt.Sprintf("%s: HTTP %d", e.Endpoint, e.Status)
	if e.Code != "" {
		s += ": " + e.Code
	}
	if e.Description != "" {
		s += fmt.Sprintf(" (%s)", e.Description)
	}
	return s
}

// RegistrationError is a client that an authorization server does not take.
type RegistrationError struct {
	Issuer string
	Reason string
}

func (e *RegistrationError) Error() string {
	return fmt.Sprintf("no client for %s: %s", e.Issuer, e.Reason)
}

// AnswerError is the answer to a login that was refused, by the authorization
// server or by us.
type AnswerError struct {
	Code        string // that of the authorization server, such as access_denied
	Description string
	Reason      string // ours
}

func (e *AnswerError) Error() string {
	switch {
	case e.Reason != "":
		return "answer to the login refused: " + e.Reason
	case e.Description != "":
		return fmt.Sprintf("login refused: %s (%s)", e.Code, e.Description)
	}
	return "login refused: " + e.Code
}

// ConfigError is an option that cannot be used.
type ConfigError struct {
	Option string
	Err    error
}

func (e *ConfigError) Error() string { return fmt.Sprintf("%s: %v", e.Option, e.Err) }
func (e *ConfigError) Unwrap() error { return e.Err }

// BrowserError is a login that nobody could be asked for.
type BrowserError struct{ Err error }

func (e *BrowserError) Error() string { return fmt.Sprintf("no browser for the login: %v", e.Err) }
func (e *BrowserError) Unwrap() error { return e.Err }

// plain makes a text from outside fit for one line of a message.
func plain(s string) string {
	const longest = 300
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool { return r <= ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 }), " ")
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}
