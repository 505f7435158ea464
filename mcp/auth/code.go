package auth

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

const defaultPatience = 5 * time.Minute

// attempt is one login: what the answer to it is held against. It is complete
// before the person is sent away, so that no answer can change what it is
// compared with.
type attempt struct {
	issuer   string
	issShown bool // the authorization server says that it names itself in answers
	state    string
	verifier string
}

// codeGrant has a person log in with a browser.
func (t *Transport) codeGrant(ctx context.Context, p *place, c *Credential) error {
	login := t.options.Login
	switch {
	case !slices.Contains(p.server.ChallengeMethods, "S256"):
		return &MetadataError{URL: redactURL(p.server.Issuer), Reason: "it does not offer PKCE with S256"}
	case p.server.AuthorizationEndpoint == "":
		return &MetadataError{URL: redactURL(p.server.Issuer), Reason: "it names no authorization endpoint"}
	case login.Open == nil && login.Paste == nil:
		return &BrowserError{Err: errors.New("none is allowed")}
	}
	if _, err := parseURL(p.server.AuthorizationEndpoint, t.net.reach()); err != nil {
		return err
	}
	patience := login.Patience
	if patience == 0 {
		patience = defaultPatience
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, &BrowserError{Err: fmt.Errorf("nobody logged in within %s", patience)})
	defer cancel()

	back, err := t.listen(ctx, p)
	if err != nil {
		return err
	}
	defer back.close()
	if c.Client, err = t.client(ctx, p, &back.redirect); err != nil {
		return err
	}
	c.Requested = withOffline(c.Requested, p.server.ScopesSupported)
	a := &attempt{issuer: p.server.Issuer, issShown: p.server.IssInAnswers, state: random(), verifier: oauth2.GenerateVerifier()}
	t.options.Hide(a.verifier)
	e, err := t.endpoint(c.TokenEndpoint, c.Issuer, &c.Client, c.DPoPKey)
	if err != nil {
		return err
	}
	u, err := a.url(p, c, e, back.uri())
	if err != nil {
		return err
	}
	answer, err := back.wait(ctx, login, a, u)
	if err != nil {
		return err
	}
	code, err := a.code(answer.query)
	if err == nil {
		t.options.Hide(code)
		var tok *oauth2.Token
		if tok, err = e.code(ctx, code, back.uri(), a.verifier, url.Values{"resource": {c.Resource}}); err == nil {
			err = t.fill(c, tok, c.DPoPKey != nil)
		}
	}
	answer.show(err == nil)
	return err
}

// url is where the person is sent.
func (a *attempt) url(p *place, c *Credential, e *endpoint, redirect string) (string, error) {
	config := e.config(redirect, p.server.AuthorizationEndpoint)
	config.Scopes = c.Requested
	options := []oauth2.AuthCodeOption{
		oauth2.S256ChallengeOption(a.verifier),
		oauth2.SetAuthURLParam("resource", c.Resource),
	}
	if slices.Contains(c.Requested, offlineAccess) { // OpenID Connect Core, section 11
		options = append(options, oauth2.SetAuthURLParam("prompt", "consent"))
	}
	if c.DPoPKey != nil {
		jkt, err := thumbprint(c.DPoPKey)
		if err != nil {
			return "", err
		}
		options = append(options, oauth2.SetAuthURLParam("dpop_jkt", jkt))
	}
	return config.AuthCodeURL(a.state, options...), nil
}

// mine reports whether an answer belongs to this attempt.
func (a *attempt) mine(q url.Values) bool { return q.Get("state") == a.state }

// code holds an answer against the attempt (RFC 9207) before anything in it is
// used or shown.
func (a *attempt) code(q url.Values) (string, error) {
	if !a.mine(q) {
		return "", &AnswerError{Reason: "its state is not that of this login"}
	}
	iss, named := q["iss"]
	switch {
	case named && (len(iss) != 1 || iss[0] != a.issuer):
		return "", &AnswerError{Reason: fmt.Sprintf("it is from the issuer %q instead of %q", plain(strings.Join(iss, " ")), plain(a.issuer))}
	case !named && a.issShown:
		return "", &AnswerError{Reason: "it does not say which issuer it is from, as it should"}
	case q.Has("error"):
		return "", &AnswerError{Code: plain(q.Get("error")), Description: plain(q.Get("error_description"))}
	case q.Get("code") == "":
		return "", &AnswerError{Reason: "there is no code in it"}
	}
	return q.Get("code"), nil
}
