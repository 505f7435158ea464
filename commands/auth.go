package commands

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcpq/commands/servers"
	"mcpq/mcp/auth"
)

// AuthCmd holds the commands about logins.
type AuthCmd struct {
	Login  AuthLoginCmd  `cmd:"" help:"Log in to a server and store the credentials."`
	Logout AuthLogoutCmd `cmd:"" help:"Forget the credentials of a server, and revoke them where it can be done."`
	Status AuthStatusCmd `cmd:"" help:"Show what there is for a server, or for all, without the tokens."`
	Token  AuthTokenCmd  `cmd:"" help:"Print the access token, for other tools."`
}

// AuthLoginCmd logs in.
type AuthLoginCmd struct{}

// AuthLogoutCmd logs out.
type AuthLogoutCmd struct{}

// AuthStatusCmd shows logins.
type AuthStatusCmd struct{}

// AuthTokenCmd prints a token.
type AuthTokenCmd struct{}

// authStatus is what is printed of a server.
type authStatus struct {
	Server        string        `json:"server"`
	Authenticated bool          `json:"authenticated"`
	Store         string        `json:"store,omitempty"` // keyring or file
	Credentials   []auth.Status `json:"credentials"`
}

// httpTarget is the server that the command is about.
func (r *runner) httpTarget() (*servers.Target, error) {
	target, err := r.prepare()
	if err != nil {
		return nil, err
	}
	if target.Kind != servers.HTTP {
		return nil, usagef("only HTTP servers have logins")
	}
	return target, nil
}

// Run logs in.
func (*AuthLoginCmd) Run(ctx context.Context, r *runner) error {
	target, err := r.httpTarget()
	if err != nil {
		return err
	}
	switch {
	case r.grammar.OAuth == oauthNone:
		return usagef("a login does not go with --oauth none")
	case r.grammar.NoStore:
		return usagef("a login that is not stored is of no use: leave --no-store out")
	}
	t, err := r.authorizer(target.URL, true, true)
	if err != nil {
		return err
	}
	status, err := t.Login(ctx)
	if err != nil {
		return err
	}
	return r.printJSON(ctx, authStatus{
		Server: safeURL(target.URL), Authenticated: true, Store: r.credentials().Place(auth.Key(target.URL)), Credentials: []auth.Status{*status},
	})
}

// Run logs out.
func (*AuthLogoutCmd) Run(ctx context.Context, r *runner) error {
	target, err := r.httpTarget()
	if err != nil {
		return err
	}
	t, err := r.authorizer(target.URL, false, false)
	if err != nil {
		return err
	}
	removed, revoked, err := t.Logout(ctx)
	if removed == 0 && err != nil {
		return err
	}
	if err != nil {
		r.messages.Warningf("the credentials are forgotten here, but were not revoked: %v", err)
	}
	return r.printJSON(ctx, struct {
		Server  string `json:"server"`
		Removed int    `json:"removed"`
		Revoked int    `json:"revoked"`
	}{safeURL(target.URL), removed, revoked})
}

// Run shows what is stored. Nothing is sent.
func (*AuthStatusCmd) Run(ctx context.Context, r *runner) error {
	target, err := r.httpTarget()
	var usage *UsageError
	store := r.credentials()
	if err != nil {
		if !errors.As(err, &usage) || !errors.Is(err, servers.ErrNone) {
			return err
		}
		names, err := store.Names()
		if err != nil {
			return err
		}
		all := []authStatus{}
		for _, name := range names {
			s, err := statusOf(ctx, store, name)
			if err != nil {
				return err
			}
			all = append(all, *s)
		}
		return r.printJSON(ctx, struct {
			Servers []authStatus `json:"servers"`
		}{all})
	}
	s, err := statusOf(ctx, store, auth.Key(target.URL))
	if err != nil {
		return err
	}
	return r.printJSON(ctx, s)
}

type recordStore interface {
	Load(ctx context.Context, name string) ([]byte, error)
	Place(name string) string
}

func statusOf(ctx context.Context, store recordStore, name string) (*authStatus, error) {
	data, err := store.Load(ctx, name)
	if err != nil {
		return nil, err
	}
	s := &authStatus{Server: safeURL(name), Store: store.Place(name), Credentials: auth.Statuses(data, time.Now())}
	if s.Credentials == nil {
		s.Credentials, s.Store = []auth.Status{}, ""
	}
	for _, c := range s.Credentials {
		s.Authenticated = s.Authenticated || !c.Expired || c.Refreshable
	}
	return s, nil
}

// Run prints the token.
func (*AuthTokenCmd) Run(ctx context.Context, r *runner) error {
	target, err := r.httpTarget()
	if err != nil {
		return err
	}
	if r.grammar.OAuth == oauthNone {
		return usagef("there is no token with --oauth none")
	}
	t, err := r.authorizer(target.URL, r.grammar.Login, false)
	if err != nil {
		return err
	}
	token, err := t.AccessToken(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(r.stdout(), token)
	return err
}

func (r *runner) printJSON(ctx context.Context, v any) error {
	data, err := marshal(v)
	if err != nil {
		return err
	}
	return r.print(ctx, data)
}
