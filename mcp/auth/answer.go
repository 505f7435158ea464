package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// refusal is an answer of 401 or 403, the latest that a request got.
type refusal struct {
	status     int
	challenges []Challenge
	version    string
	again      bool // the request had been authorized anew before
	renewed    bool // with a token that had been renewed
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
	same := now != nil && now.Issuer == p.server.Issuer
	if same && t.fresh == now && r.again {
		return nil, nil // a new token is not good enough, and another would not be
	}
	if same && !r.renewed {
		r.renewed = true
		renewed, err := t.refresh(ctx, now)
		if err == nil && renewed.AccessToken != now.AccessToken {
			return renewed, nil
		}
		if err != nil && !errors.Is(err, errNoRefresh) {
			return nil, err
		}
	}
	var before []string
	if same {
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
	if err := t.checkPlain(); err != nil {
		return nil, err // before anybody logs in for nothing
	}
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
