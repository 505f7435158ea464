package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// configuredClient is who the options say we are; false when they do not.
func (t *Transport) configuredClient(p *place) (Client, bool) {
	o := &t.options.Client
	c := Client{ID: o.ID, Source: configured, Method: methodNone}
	switch {
	case o.ID == "":
		return Client{}, false
	case o.Key != nil:
		c.Method = methodKey
	case o.Secret != "":
		c.Method, c.Secret = secretMethod(p.server.AuthMethods), o.Secret
	}
	return c, true
}

// client says who we are for an authorization server, in the order that MCP
// prescribes: what was agreed on, a document, a registration, made earlier or
// now. The redirect is where logins end.
func (t *Transport) client(ctx context.Context, p *place, redirect *redirect) (Client, error) {
	if c, ok := t.configuredClient(p); ok {
		return c, nil
	}
	o := &t.options.Client
	if o.MetadataURL != "" && p.server.MetadataDocuments {
		c := Client{ID: o.MetadataURL, Source: document, Method: methodNone}
		if o.Key != nil {
			c.Method = methodKey
		}
		return c, nil
	}
	if known := t.registration(ctx, p); known != nil && (redirect == nil || known.RedirectURI == redirect.uri()) {
		t.options.Hide(known.Secret)
		return *known, nil
	}
	if p.server.RegistrationEndpoint == "" {
		return Client{}, &RegistrationError{Issuer: redactURL(p.server.Issuer), Reason: "it registers none by itself; it has to be told a client id that it knows"}
	}
	c, code, err := t.register(ctx, p, redirect)
	if code == "invalid_redirect_uri" && redirect != nil && !redirect.named {
		// Some take only the name of this machine, although RFC 8252 asks for
		// the address.
		redirect.named = true
		c, _, err = t.register(ctx, p, redirect)
	}
	return c, err
}

// registration is one that was made earlier with the same issuer.
func (t *Transport) registration(ctx context.Context, p *place) *Client {
	var known []*Credential
	if now := t.current.Load(); now != nil {
		known = append(known, now)
	}
	if data, err := t.options.Store.Load(ctx, t.key()); err == nil {
		known = append(known, decodeRecord(data).Credentials...)
	}
	for _, c := range known {
		if c.Issuer == p.server.Issuer && c.Client.Source == registered {
			return &c.Client
		}
	}
	return nil
}

// registrationRequest is that of RFC 7591.
type registrationRequest struct {
	ClientName      string   `json:"client_name"`
	ApplicationType string   `json:"application_type"`
	RedirectURIs    []string `json:"redirect_uris,omitempty"`
	GrantTypes      []string `json:"grant_types"`
	ResponseTypes   []string `json:"response_types"`
	AuthMethod      string   `json:"token_endpoint_auth_method"`
	DPoP            bool     `json:"dpop_bound_access_tokens,omitempty"`
}

// register makes a client. The code is that of a refusal.
func (t *Transport) register(ctx context.Context, p *place, redirect *redirect) (c Client, code string, err error) {
	if _, err := parseURL(p.server.RegistrationEndpoint, t.net.reach()); err != nil {
		return Client{}, "", err
	}
	req := registrationRequest{
		ClientName: t.options.Client.Name, ApplicationType: "native", AuthMethod: publicMethod(p.server.AuthMethods),
		GrantTypes: []string{"refresh_token"}, ResponseTypes: []string{}, DPoP: t.options.DPoP || p.dpop,
	}
	if req.ClientName == "" {
		req.ClientName = "MCP client"
	}
	if redirect != nil {
		req.RedirectURIs = []string{redirect.uri()}
		req.GrantTypes = append([]string{"authorization_code"}, req.GrantTypes...)
		req.ResponseTypes = []string{"code"}
	} else {
		req.GrantTypes = append([]string{deviceGrantType}, req.GrantTypes...)
	}
	status, body, err := t.net.postJSON(ctx, p.server.RegistrationEndpoint, req)
	if err != nil {
		return Client{}, "", err
	}
	var answer struct {
		ID          string `json:"client_id"`
		Secret      string `json:"client_secret"`
		Method      string `json:"token_endpoint_auth_method"`
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	bad := json.Unmarshal(body, &answer)
	if status != http.StatusCreated && status != http.StatusOK {
		reason := fmt.Sprintf("the registration was refused with HTTP %d", status)
		if answer.Error != "" {
			reason += ": " + plain(answer.Error)
		}
		if answer.Description != "" {
			reason += fmt.Sprintf(" (%s)", plain(answer.Description))
		}
		return Client{}, answer.Error, &RegistrationError{Issuer: redactURL(p.server.Issuer), Reason: reason}
	}
	if bad != nil || answer.ID == "" {
		return Client{}, "", &RegistrationError{Issuer: redactURL(p.server.Issuer), Reason: "the registration gave no client id"}
	}
	t.options.Hide(answer.Secret)
	c = Client{ID: answer.ID, Secret: answer.Secret, Method: answer.Method, Source: registered}
	if redirect != nil {
		c.RedirectURI = redirect.uri()
	}
	switch {
	case c.Method == "" && c.Secret != "" && req.AuthMethod == methodNone:
		c.Method = secretMethod(p.server.AuthMethods)
	case c.Method == "":
		c.Method = req.AuthMethod
	}
	return c, "", nil
}

// publicMethod is how a client without a secret of its own prefers to be known.
func publicMethod(supported []string) string {
	if len(supported) == 0 || slices.Contains(supported, methodNone) {
		return methodNone
	}
	return secretMethod(supported)
}
