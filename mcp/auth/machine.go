package auth

import (
	"context"
	"net/url"
	"strings"
)

const (
	jwtBearerType     = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	tokenExchangeType = "urn:ietf:params:oauth:grant-type:token-exchange"
	identityJAGType   = "urn:ietf:params:oauth:token-type:id-jag"
	identityTokenType = "urn:ietf:params:oauth:token-type:id_token"
)

// clientCredentials is the grant of a client on its own behalf.
func (t *Transport) clientCredentials(ctx context.Context, p *place, c *Credential) error {
	return t.exchange(ctx, p, c, url.Values{"grant_type": {"client_credentials"}})
}

// jwtBearer trades an assertion that somebody else made (RFC 7523), such as the
// identity of a workload.
func (t *Transport) jwtBearer(ctx context.Context, p *place, c *Credential) error {
	jwt, err := t.options.Assertion()
	if err != nil {
		return &ConfigError{Option: "assertion", Err: err}
	}
	t.options.Hide(jwt)
	return t.exchange(ctx, p, c, url.Values{"grant_type": {jwtBearerType}, "assertion": {jwt}})
}

// exchange makes the request for a token of a grant without a person. Secrets
// that came from outside stay there: they are not part of the credential.
func (t *Transport) exchange(ctx context.Context, p *place, c *Credential, form url.Values) error {
	client, ok := t.configuredClient(p)
	if !ok {
		client = Client{Method: methodNone, Source: configured}
	}
	form.Set("resource", c.Resource)
	if len(c.Requested) > 0 {
		form.Set("scope", strings.Join(c.Requested, " "))
	}
	e, err := t.endpoint(c.TokenEndpoint, c.Issuer, &client, c.DPoPKey)
	if err != nil {
		return err
	}
	tok, err := e.token(ctx, form)
	if err != nil {
		return err
	}
	tok.RefreshToken = ""
	c.Client = client
	c.Client.Secret = ""
	return t.fill(c, tok, c.DPoPKey != nil)
}

// enterprise asks the identity provider for an assertion to that authorization
// server (RFC 8693), and trades it there.
func (t *Transport) enterprise(ctx context.Context, p *place, c *Credential) error {
	o := t.options.Enterprise
	identity, err := o.IDToken()
	if err != nil {
		return &ConfigError{Option: "identity token", Err: err}
	}
	t.options.Hide(identity)
	// The identity provider is the user's own choice, wherever it is.
	idp := new(network)
	idp.near.Store(int32(reachLoopback))
	idp.guarded = newGuarded(t.options.Network, idp.reach)
	defer idp.guarded.closeIdle()
	meta := &serverMetadata{Issuer: o.Issuer, TokenEndpoint: o.TokenEndpoint}
	if o.TokenEndpoint == "" {
		d := &discovery{net: idp, server: t.server}
		if meta, err = d.authorizationServer(ctx, o.Issuer); err != nil {
			return err
		}
	}
	if _, err := parseURL(meta.TokenEndpoint, idp.reach()); err != nil {
		return err
	}
	client := Client{ID: o.ClientID, Secret: o.ClientSecret, Method: methodNone}
	if client.Secret != "" {
		client.Method = secretMethod(meta.AuthMethods)
	}
	e, err := t.endpointVia(idp.guarded, meta.TokenEndpoint, meta.Issuer, &client, nil)
	if err != nil {
		return err
	}
	form := url.Values{
		"grant_type":           {tokenExchangeType},
		"requested_token_type": {identityJAGType},
		"audience":             {c.Issuer},
		"resource":             {c.Resource},
		"subject_token":        {identity},
		"subject_token_type":   {identityTokenType},
	}
	if len(c.Requested) > 0 {
		form.Set("scope", strings.Join(c.Requested, " "))
	}
	tok, err := e.token(ctx, form)
	if err != nil {
		return err
	}
	t.options.Hide(tok.AccessToken)
	if issued, _ := tok.Extra("issued_token_type").(string); issued != "" && issued != identityJAGType {
		return &AnswerError{Reason: "the identity provider issued a token of the type " + plain(issued)}
	}
	return t.exchange(ctx, p, c, url.Values{"grant_type": {jwtBearerType}, "assertion": {tok.AccessToken}})
}
