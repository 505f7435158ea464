package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// credential gives the one to send, renewed if it is about to end; nil for none.
func (t *Transport) credential(ctx context.Context) (*Credential, error) {
	if t.options.Token != "" {
		return nil, nil
	}
	if c := t.current.Load(); c != nil && c.usable(t.options.Now()) {
		return c, nil
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := t.load(ctx); err != nil {
		return nil, err
	}
	c := t.current.Load()
	if c == nil || c.usable(t.options.Now()) {
		return c, nil
	}
	renewed, err := t.refresh(ctx, c)
	switch {
	case err == nil:
		return renewed, nil
	case ctx.Err() == nil && t.options.Now().Before(c.Expires):
		t.options.Notice(fmt.Sprintf("the token is about to end: %v", err))
		return c, nil
	case errors.Is(err, errNoRefresh):
		return nil, nil // the server will ask
	}
	return nil, err
}

// load takes the first stored credential that fits the options.
func (t *Transport) load(ctx context.Context) error {
	if t.loaded {
		return nil
	}
	data, err := t.options.Store.Load(ctx, t.key())
	if err != nil {
		return err
	}
	t.loaded = true
	for _, c := range decodeRecord(data).Credentials {
		if t.fits(c) {
			t.adopt(c)
			break
		}
	}
	return nil
}

// fits reports whether a stored credential is one that the options mean.
func (t *Transport) fits(c *Credential) bool {
	o := &t.options
	switch {
	case c.AccessToken == "" && c.RefreshToken == "":
		return false
	case o.Client.ID != "" && o.Client.ID != c.Client.ID:
		return false
	case o.DPoP && c.DPoPKey == nil:
		return false
	case len(o.Scopes) > 0 && !covers(c.Requested, o.Scopes):
		return false
	case o.grant().machine() || c.Grant.machine():
		return o.grant() == c.Grant
	}
	// A server's metadata may have named another resource in the meantime,
	// but never one that is not its own.
	u, err := url.Parse(c.Resource)
	return err == nil && sameOrigin(u, t.server) && below(t.server.EscapedPath(), u.EscapedPath())
}

// adopt makes c the credential to send.
func (t *Transport) adopt(c *Credential) {
	t.options.Hide(c.AccessToken, c.RefreshToken, c.Client.Secret)
	t.current.Store(c)
}

// key is under which the server is stored.
func (t *Transport) key() string { return canonical(t.server) }

// save stores a new credential. Where that fails it is used all the same.
func (t *Transport) save(ctx context.Context, c *Credential) {
	err := t.options.Store.Update(ctx, t.key(), func(old []byte) ([]byte, error) {
		r := decodeRecord(old)
		r.put(c)
		return r.encode()
	})
	if err != nil {
		t.options.Notice(fmt.Sprintf("the credentials were not stored: %v", err))
	}
}

// errNoRefresh is a credential that cannot be renewed.
var errNoRefresh = errors.New("no refresh token")

// refresh renews a credential. Another process may be about to do the same with
// a refresh token that is good for one use: the store's lock is held from the
// look at what is stored until the new token is.
func (t *Transport) refresh(ctx context.Context, c *Credential) (*Credential, error) {
	var renewed *Credential
	var failure error
	err := t.options.Store.Update(ctx, t.key(), func(old []byte) ([]byte, error) {
		r := decodeRecord(old)
		stored := r.find(c)
		if stored == nil {
			stored = c
		}
		if stored.AccessToken != c.AccessToken && stored.usable(t.options.Now()) {
			renewed = stored
			return old, nil
		}
		if stored.RefreshToken == "" {
			failure = errNoRefresh
			return old, nil
		}
		t.options.Hide(stored.RefreshToken)
		next, err := t.exchangeRefresh(ctx, stored)
		var refused *TokenError
		if errors.As(err, &refused) && refused.Status < http.StatusInternalServerError {
			// Used up, revoked or expired: only a login helps. The
			// registration stays.
			t.options.Notice(fmt.Sprintf("the token could not be renewed: %v", refused))
			spent := *stored
			spent.AccessToken, spent.RefreshToken = "", ""
			r.put(&spent)
			failure = errNoRefresh
			return r.encode()
		}
		if err != nil {
			failure = err
			return old, nil
		}
		renewed = next
		r.put(next)
		return r.encode()
	})
	switch {
	case failure != nil:
		return nil, failure
	case renewed == nil:
		return nil, err
	case err != nil:
		t.options.Notice(fmt.Sprintf("the renewed credentials were not stored: %v", err))
	}
	t.adopt(renewed)
	return renewed, nil
}

func (t *Transport) exchangeRefresh(ctx context.Context, c *Credential) (*Credential, error) {
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {c.RefreshToken}, "resource": {c.Resource}}
	e, err := t.endpoint(c.TokenEndpoint, c.Issuer, t.stored(c), c.DPoPKey)
	if err != nil {
		return nil, err
	}
	tok, err := e.token(ctx, form)
	if err != nil {
		return nil, err
	}
	next := *c
	if err := t.fill(&next, tok, c.DPoPKey != nil); err != nil {
		return nil, err
	}
	return &next, nil
}

// stored is the client of a credential, with the secret that the user gives now
// rather than the one that was stored.
func (t *Transport) stored(c *Credential) *Client {
	client := c.Client
	if o := &t.options.Client; o.ID == client.ID && o.Secret != "" {
		client.Secret = o.Secret
	}
	return &client
}
