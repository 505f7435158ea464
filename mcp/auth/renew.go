package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
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
	if errors.Is(err, errNoRefresh) {
		return nil, nil // the server will ask
	}
	return renewed, err
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

// refusal is an answer of 401 or 403.
type refusal struct {
	status     int
	challenges []Challenge
	version    string
	again      bool // the request had been authorized anew before
}

// answer finds what to do about a refusal: another credential to try, or nil
// when there is nothing to be done.
func (t *Transport) answer(ctx context.Context, used *Credential, r *refusal) (*Credential, error) {
	if t.options.Token != "" {
		return nil, nil
	}
	challenge := ours(r.challenges)
	if challenge.Scheme == "" && len(r.challenges) > 0 {
		return nil, nil // it wants something else, such as a password
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	wanted := strings.Fields(challenge.Params["scope"])
	now := t.current.Load()
	if r.status == http.StatusForbidden {
		if challenge.Params["error"] != "insufficient_scope" || used == nil && len(wanted) == 0 {
			return nil, nil
		}
		if now != nil && now != used && covers(now.Requested, wanted) {
			return now, nil // somebody else asked
		}
		return t.stepUp(ctx, now, challenge, wanted, r)
	}
	if now != nil && now != used {
		return now, nil // somebody else was faster
	}
	if other := t.newer(ctx, used); other != nil {
		return other, nil
	}
	p, err := t.discover(ctx, challenge, r.version)
	if err != nil {
		return nil, err
	}
	if p.server.assumed && t.options.Login == nil && !t.options.grant().machine() {
		return nil, nil // nothing says that there is anything to log in to
	}
	if now != nil && now.Issuer == p.server.Issuer {
		renewed, err := t.refresh(ctx, now)
		switch {
		case err == nil && renewed.AccessToken != now.AccessToken:
			return renewed, nil
		case err != nil && !errors.Is(err, errNoRefresh):
			return nil, err
		case t.fresh == now && r.again:
			return nil, nil // a new token is not good enough, and another would not be
		}
	}
	var before []string
	if now != nil && now.Issuer == p.server.Issuer {
		before = now.Requested // what had been needed is needed again
	}
	return t.acquire(ctx, p, union(initialScopes(t.options.Scopes, challenge, p.scopes), before))
}

// newer looks whether another process has logged in meanwhile.
func (t *Transport) newer(ctx context.Context, used *Credential) *Credential {
	data, err := t.options.Store.Load(ctx, t.key())
	if err != nil {
		return nil
	}
	for _, c := range decodeRecord(data).Credentials {
		if t.fits(c) && c.usable(t.options.Now()) && (used == nil || c.AccessToken != used.AccessToken && c.Issued.After(used.Issued)) {
			t.adopt(c)
			return c
		}
	}
	return nil
}

// stepUp asks for more scopes: those there were and those that are missing. It
// is pointless when they had just been asked for.
func (t *Transport) stepUp(ctx context.Context, now *Credential, c Challenge, wanted []string, r *refusal) (*Credential, error) {
	var had []string
	if now != nil {
		had = now.Requested
		if t.fresh == now && covers(had, wanted) {
			return nil, nil
		}
	}
	p := t.place
	if p == nil {
		var err error
		if p, err = t.discover(ctx, c, r.version); err != nil {
			return nil, err
		}
	}
	if now != nil && now.Issuer != p.server.Issuer {
		had = nil
	}
	return t.acquire(ctx, p, union(t.options.Scopes, had, wanted))
}

func (t *Transport) discover(ctx context.Context, c Challenge, version string) (*place, error) {
	var prefer []string
	if now := t.current.Load(); now != nil {
		prefer = append(prefer, now.Issuer)
	}
	d := &discovery{net: t.net, server: t.server, version: version, prefer: prefer, notice: t.options.Notice}
	p, err := d.discover(ctx, c)
	if err != nil {
		return nil, err
	}
	if p.server.TokenEndpoint == "" {
		return nil, &MetadataError{URL: p.server.Issuer, Reason: "it names no token endpoint"}
	}
	t.place = p
	return p, nil
}

// acquire gets a new token in the way that the options say.
func (t *Transport) acquire(ctx context.Context, p *place, scopes []string) (*Credential, error) {
	g := t.options.grant()
	t.options.Notice(fmt.Sprintf("asking %s for a token (%s, scopes %q)", plain(p.server.Issuer), g, strings.Join(scopes, " ")))
	c := &Credential{
		Issuer: p.server.Issuer, Resource: p.resource, Grant: g, Requested: scopes,
		TokenEndpoint: p.server.TokenEndpoint, RevocationEndpoint: p.server.RevocationEndpoint,
	}
	bound := t.options.DPoP || p.dpop
	if bound {
		var err error
		if c.DPoPKey, err = t.dpopKey(p); err != nil {
			return nil, err
		}
	}
	var err error
	switch g {
	case ClientCredentials:
		err = t.clientCredentials(ctx, p, c)
	case JWTBearer:
		err = t.jwtBearer(ctx, p, c)
	case Enterprise:
		err = t.enterprise(ctx, p, c)
	case Device:
		err = t.needPerson(c, t.deviceGrant)(ctx, p, c)
	default:
		err = t.needPerson(c, t.codeGrant)(ctx, p, c)
	}
	if err != nil {
		return nil, err
	}
	t.fresh = c
	t.adopt(c)
	t.save(ctx, c)
	return c, nil
}

type grantFunc func(context.Context, *place, *Credential) error

func (t *Transport) needPerson(c *Credential, f grantFunc) grantFunc {
	if t.options.Login != nil {
		return f
	}
	e := &LoginRequiredError{Server: redactURL(t.server.String())}
	if now := t.current.Load(); now != nil && !covers(now.Requested, c.Requested) {
		e.Scopes = slices.Clone(c.Requested)
	}
	return func(context.Context, *place, *Credential) error { return e }
}
