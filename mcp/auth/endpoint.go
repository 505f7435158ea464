package auth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// Ways in which a client shows a token endpoint that it is who it says.
const (
	methodNone  = "none"
	methodBasic = "client_secret_basic"
	methodPost  = "client_secret_post"
	methodKey   = "private_key_jwt"
)

// endpoint is a token endpoint as one client sees it.
type endpoint struct {
	url    string
	client *Client
	http   *http.Client
	assert func() (string, error) // for private_key_jwt
	hide   func(...string)
}

// endpoint prepares for exchanges with a token endpoint; key may be nil.
func (t *Transport) endpoint(u, issuer string, c *Client, key json.RawMessage) (*endpoint, error) {
	if _, err := parseURL(u, t.net.reach()); err != nil {
		return nil, err
	}
	return t.endpointVia(t.net.guarded, u, issuer, c, key)
}

func (t *Transport) endpointVia(base http.RoundTripper, u, issuer string, c *Client, key json.RawMessage) (*endpoint, error) {
	e := &endpoint{url: u, client: c, hide: t.options.Hide}
	if key != nil {
		k, err := parseDPoPKey(key)
		if err != nil {
			return nil, err
		}
		base = &prover{base: base, key: k, nonces: t.nonces, now: t.options.Now}
	}
	e.http = &http.Client{Transport: base, CheckRedirect: noRedirect, Timeout: endpointPatience}
	if c.Method == methodKey {
		o := &t.options.Client
		if o.Key == nil {
			return nil, &RegistrationError{Issuer: issuer, Reason: "the key of the client is needed"}
		}
		audience := o.Audience
		if audience == "" {
			audience = issuer
		}
		e.assert = func() (string, error) { return clientAssertion(o, c.ID, audience, t.options.Now()) }
	}
	return e, nil
}

func (e *endpoint) style() oauth2.AuthStyle {
	if e.client.Method == methodBasic {
		return oauth2.AuthStyleInHeader
	}
	return oauth2.AuthStyleInParams
}

// secret is what the oauth2 package is to send; it must not send one that is
// not meant to be.
func (e *endpoint) secret() string {
	if e.client.Method == methodBasic || e.client.Method == methodPost {
		return e.client.Secret
	}
	return ""
}

// proof adds the client's assertion to a form, where it has one.
func (e *endpoint) proof(form url.Values) error {
	if e.assert == nil {
		return nil
	}
	jwt, err := e.assert()
	if err != nil {
		return err
	}
	e.hide(jwt)
	form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
	form.Set("client_assertion", jwt)
	return nil
}

// token makes an exchange of any grant but that of a code.
func (e *endpoint) token(ctx context.Context, form url.Values) (*oauth2.Token, error) {
	if err := e.proof(form); err != nil {
		return nil, err
	}
	config := clientcredentials.Config{
		ClientID: e.client.ID, ClientSecret: e.secret(), TokenURL: e.url, AuthStyle: e.style(), EndpointParams: form,
	}
	tok, err := config.Token(context.WithValue(ctx, oauth2.HTTPClient, e.http))
	return tok, e.failed(ctx, err)
}

// code exchanges the code of a login.
func (e *endpoint) code(ctx context.Context, code, redirect, verifier string, form url.Values) (*oauth2.Token, error) {
	if err := e.proof(form); err != nil {
		return nil, err
	}
	options := []oauth2.AuthCodeOption{oauth2.VerifierOption(verifier)}
	for name, values := range form {
		options = append(options, oauth2.SetAuthURLParam(name, values[0]))
	}
	tok, err := e.config(redirect, "").Exchange(context.WithValue(ctx, oauth2.HTTPClient, e.http), code, options...)
	return tok, e.failed(ctx, err)
}

func (e *endpoint) config(redirect, authorize string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: e.client.ID, ClientSecret: e.secret(), RedirectURL: redirect,
		Endpoint: oauth2.Endpoint{AuthURL: authorize, TokenURL: e.url, AuthStyle: e.style()},
	}
}

// failed makes an error of the oauth2 package one of ours. That package prints
// what the endpoint answered; we tell only what it says is wrong.
func (e *endpoint) failed(ctx context.Context, err error) error {
	var refused *oauth2.RetrieveError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return &TokenError{
			Endpoint: redactURL(e.url), Status: refused.Response.StatusCode,
			Code: plain(refused.ErrorCode), Description: plain(refused.ErrorDescription),
		}
	}
	var wrapped *url.Error
	if !errors.As(err, &wrapped) && ctx.Err() == nil {
		// Whatever is wrong with the answer, its text may quote from it.
		err = errors.New("no usable answer")
	}
	return fetchError(ctx, e.url, err)
}

// fill puts a token into a credential.
func (t *Transport) fill(c *Credential, tok *oauth2.Token, bound bool) error {
	t.options.Hide(tok.AccessToken, tok.RefreshToken)
	c.TokenType = tok.Type()
	switch {
	case bound && !strings.EqualFold(c.TokenType, "DPoP"):
		return &AnswerError{Reason: "a token bound to our key was asked for, and one came that is not"}
	case !bound && !strings.EqualFold(c.TokenType, "Bearer"):
		return &AnswerError{Reason: "the token is of the type " + plain(c.TokenType)}
	}
	c.AccessToken = tok.AccessToken
	if tok.RefreshToken != "" {
		c.RefreshToken = tok.RefreshToken
	}
	if scope, ok := tok.Extra("scope").(string); ok && scope != "" {
		c.Granted = union(strings.Fields(scope))
	} else if c.Granted == nil {
		c.Granted = c.Requested // RFC 6749, section 5.1: left out when they are the same
	}
	c.Issued, c.Expires = t.options.Now().UTC(), time.Time{}
	if !tok.Expiry.IsZero() {
		c.Expires = c.Issued.Add(time.Until(tok.Expiry).Round(time.Second))
	}
	return nil
}

// secretMethod is how a client with a secret shows it.
func secretMethod(supported []string) string {
	if len(supported) > 0 && !slices.Contains(supported, methodBasic) && slices.Contains(supported, methodPost) {
		return methodPost
	}
	return methodBasic
}
