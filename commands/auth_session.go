package commands

import (
	"net/http"
	"path/filepath"
	"runtime"
	"time"

	"mcpq/internal/credstore"
	"mcpq/mcp/auth"
	"mcpq/mcp/transport"
)

// roundTripper makes what sends the requests to an HTTP server, with the
// authorization that the flags, the environment and the store have for it. A
// header given by the user comes before all of them.
func (r *runner) roundTripper(url string, header http.Header) (http.RoundTripper, error) {
	if r.grammar.OAuth == oauthNone || header.Get("Authorization") != "" {
		return r.baseTransport()
	}
	t, err := r.authorizer(url, r.grammar.Login, false)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// authorizer makes the authorization of one server. A person is asked when
// that is allowed; asked for is a login that is the command itself.
func (r *runner) authorizer(url string, login, askedFor bool) (*auth.Transport, error) {
	o, err := r.authOptions(url)
	if err != nil {
		return nil, err
	}
	if o.Base, err = r.baseTransport(); err != nil {
		return nil, err
	}
	if retry, ok := o.Base.(*transport.Retry); ok {
		o.Network, _ = retry.Next.(*http.Transport)
	}
	if !r.grammar.NoStore {
		o.Store = r.credentials()
	}
	if r.unattended && o.Store != nil {
		o.Store = readOnly{o.Store}
	}
	if login {
		o.Login = r.login(url, askedFor)
	}
	t, err := auth.New(*o)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	r.cleanup = append(r.cleanup, t.CloseIdleConnections)
	return t, nil
}

// credentials is where they are stored.
func (r *runner) credentials() *credstore.Store {
	s := &credstore.Store{Dir: filepath.Join(stateDir(r.env.Getenv, runtime.GOOS), "credentials")}
	if r.env.Getenv("MCPQ_NO_KEYRING") == "" {
		s.Keyring = credstore.SystemKeyring(r.env.Getenv, "mcpq")
	}
	return s
}

// withLogin allows a request, which a login may interrupt, the time of a person.
func (r *runner) withLogin(limit time.Duration) time.Duration {
	if r.grammar.Login && limit > 0 {
		return limit + loginPatience
	}
	return limit
}

// stateDir is where mcpq keeps what it has to remember.
func stateDir(getenv func(string) string, goos string) string {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "mcpq")
	}
	if dir := getenv("LOCALAPPDATA"); goos == "windows" && dir != "" {
		return filepath.Join(dir, "mcpq")
	}
	home := getenv("HOME")
	if goos == "windows" {
		home = getenv("USERPROFILE")
	}
	return filepath.Join(home, ".local", "state", "mcpq")
}
