package auth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Status is what is known about a credential, without its secrets.
type Status struct {
	Issuer      string     `json:"issuer"`
	Resource    string     `json:"resource"`
	ClientID    string     `json:"clientId,omitempty"`
	Grant       Grant      `json:"grant"`
	TokenType   string     `json:"tokenType,omitempty"`
	Scopes      []string   `json:"scopes"`
	Expires     *time.Time `json:"expires,omitempty"`
	Expired     bool       `json:"expired"`
	Refreshable bool       `json:"refreshable"`
}

func (c *Credential) status(now time.Time) Status {
	s := Status{
		Issuer: c.Issuer, Resource: c.Resource, ClientID: c.Client.ID, Grant: c.Grant, TokenType: c.TokenType,
		Scopes: c.scopes(), Expired: !c.usable(now), Refreshable: c.RefreshToken != "",
	}
	if s.Scopes == nil {
		s.Scopes = []string{}
	}
	if !c.Expires.IsZero() {
		s.Expires = &c.Expires
	}
	return s
}

// Statuses tells what a record of a [Store] says, the latest first.
func Statuses(data []byte, now time.Time) []Status {
	var all []Status
	for _, c := range decodeRecord(data).Credentials {
		if c.AccessToken != "" || c.RefreshToken != "" {
			all = append(all, c.status(now))
		}
	}
	return all
}

// Login gets a new token, whatever there was before.
func (t *Transport) Login(ctx context.Context) (*Status, error) {
	c, err := t.login(ctx, true)
	if err != nil {
		return nil, t.failed(ctx, err)
	}
	s := c.status(t.options.Now())
	return &s, nil
}

// AccessToken gives the token that requests are sent with, renewed or got anew
// when it has ended.
func (t *Transport) AccessToken(ctx context.Context) (string, error) {
	if t.options.Token != "" {
		return t.options.Token, nil
	}
	c, err := t.credential(ctx)
	if err == nil && c == nil {
		c, err = t.login(ctx, false)
	}
	if err != nil {
		return "", t.failed(ctx, err)
	}
	return c.AccessToken, nil
}

func (t *Transport) login(ctx context.Context, anew bool) (*Credential, error) {
	asked, challenge, err := t.probe(ctx)
	if err != nil {
		return nil, err
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := t.load(ctx); err != nil {
		return nil, err
	}
	if c := t.current.Load(); !anew && c != nil && c.usable(t.options.Now()) {
		return c, nil
	}
	p, err := t.discover(ctx, challenge, "")
	if err != nil {
		return nil, err
	}
	if p.server.assumed && !asked {
		return nil, &MetadataError{URL: redactURL(t.server.String()), Reason: "there is none, and the server does not ask for a login"}
	}
	return t.acquire(ctx, p, initialScopes(t.options.Scopes, challenge, p.scopes))
}

// probe asks the server for its challenge with a request that means the same in
// every version.
func (t *Transport) probe(ctx context.Context) (asked bool, c Challenge, err error) {
	ctx, cancel := context.WithTimeout(ctx, endpointPatience)
	defer cancel()
	const ping = `{"jsonrpc":"2.0","id":0,"method":"ping"}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.server.String(), strings.NewReader(ping))
	if err != nil {
		return false, c, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := t.send(req, nil, false)
	if err != nil {
		return false, c, fetchError(ctx, t.server.String(), err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
		return false, c, nil // it may ask for a token only later
	}
	return true, ours(ParseChallenges(resp.Header.Values("WWW-Authenticate"))), nil
}

// Logout forgets all that is stored of the server, and revokes what can be.
// The first error of a revocation is returned when everything is forgotten.
func (t *Transport) Logout(ctx context.Context) (removed, revoked int, err error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer unlock()
	var gone []*Credential
	err = t.options.Store.Update(ctx, t.key(), func(old []byte) ([]byte, error) {
		gone = decodeRecord(old).Credentials
		return nil, nil
	})
	if err != nil {
		return 0, 0, err
	}
	t.current.Store(nil)
	var first error
	for _, c := range gone {
		if c.AccessToken == "" && c.RefreshToken == "" {
			continue
		}
		removed++
		ok, err := t.revoke(ctx, c)
		if ok {
			revoked++
		}
		if err != nil && first == nil {
			first = t.failed(ctx, err)
		}
	}
	return removed, revoked, first
}

// revoke tells the authorization server (RFC 7009): the refresh token, with
// which the access tokens usually go, and the access token.
func (t *Transport) revoke(ctx context.Context, c *Credential) (bool, error) {
	if c.RevocationEndpoint == "" {
		return false, nil
	}
	t.options.Hide(c.AccessToken, c.RefreshToken, c.Client.Secret)
	client := t.stored(c)
	e, err := t.endpoint(c.RevocationEndpoint, c.Issuer, client, c.DPoPKey)
	if err != nil {
		return false, err
	}
	for hint, token := range map[string]string{"refresh_token": c.RefreshToken, "access_token": c.AccessToken} {
		if token == "" {
			continue
		}
		if err := e.post(ctx, url.Values{"token": {token}, "token_type_hint": {hint}}); err != nil {
			return false, err
		}
	}
	return true, nil
}

// post sends a form with which nothing comes back.
func (e *endpoint) post(ctx context.Context, form url.Values) error {
	if err := e.proof(form); err != nil {
		return err
	}
	if e.client.Method != methodBasic {
		form.Set("client_id", e.client.ID)
		if s := e.secret(); s != "" {
			form.Set("client_secret", s)
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if e.client.Method == methodBasic {
		req.SetBasicAuth(url.QueryEscape(e.client.ID), url.QueryEscape(e.secret()))
	}
	resp, err := e.http.Do(req)
	if err != nil {
		return fetchError(ctx, e.url, err)
	}
	drain(resp)
	if resp.StatusCode/100 != 2 {
		return &TokenError{Endpoint: redactURL(e.url), Status: resp.StatusCode}
	}
	return nil
}

// Key is the name under which a [Store] has the server with that URL.
func Key(server string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	return canonical(u)
}
