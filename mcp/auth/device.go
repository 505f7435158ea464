package auth

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"golang.org/x/oauth2"
)

const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

// deviceGrant has a person log in on another device (RFC 8628).
func (t *Transport) deviceGrant(ctx context.Context, p *place, c *Credential) error {
	login := t.options.Login
	if p.server.DeviceEndpoint == "" {
		return &MetadataError{URL: redactURL(p.server.Issuer), Reason: "it does not offer logins on another device"}
	}
	if login.Device == nil {
		return &BrowserError{Err: errors.New("there is nobody to show a code to")}
	}
	if _, err := parseURL(p.server.DeviceEndpoint, t.net.reach()); err != nil {
		return err
	}
	patience := login.Patience
	if patience == 0 {
		patience = defaultPatience
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, &BrowserError{Err: fmt.Errorf("nobody logged in within %s", patience)})
	defer cancel()
	var err error
	if c.Client, err = t.client(ctx, p, nil); err != nil {
		return err
	}
	c.Requested = withOffline(c.Requested, p.server.ScopesSupported)
	e, err := t.endpoint(c.TokenEndpoint, c.Issuer, &c.Client, c.DPoPKey)
	if err != nil {
		return err
	}
	config := e.config("", "")
	config.Endpoint.DeviceAuthURL = p.server.DeviceEndpoint
	config.Scopes = c.Requested
	with := context.WithValue(ctx, oauth2.HTTPClient, e.http)
	resource := oauth2.SetAuthURLParam("resource", c.Resource)
	options, err := e.options(resource)
	if err != nil {
		return err
	}
	begun := t.options.Now()
	grant, err := config.DeviceAuth(with, options...)
	if err != nil {
		return e.failed(ctx, err)
	}
	t.options.Hide(grant.DeviceCode)
	complete := grant.VerificationURIComplete
	if err := t.checkShown(grant.VerificationURI); err != nil {
		return err
	}
	if complete != "" && t.checkShown(complete) != nil {
		complete = ""
	}
	if !grant.Expiry.IsZero() {
		grant.Expiry = time.Now().Add(grant.Expiry.Sub(begun)) // the library compares with the clock of the machine
	}
	login.Device(grant.VerificationURI, plain(grant.UserCode), complete)
	if options, err = e.options(resource); err != nil {
		return err
	}
	tok, err := config.DeviceAccessToken(with, grant, options...)
	if err != nil {
		return e.failed(ctx, err)
	}
	return t.fill(c, tok, c.DPoPKey != nil)
}

// checkShown holds a URL that a person is to open against the same rules as one
// that is opened for them.
func (t *Transport) checkShown(u string) error {
	_, err := parseURL(u, t.net.reach())
	return err
}

// options are what goes with a request of the oauth2 package: what is given, and
// who the client is where it has to say so itself.
func (e *endpoint) options(more ...oauth2.AuthCodeOption) ([]oauth2.AuthCodeOption, error) {
	form := url.Values{}
	if err := e.proof(form); err != nil {
		return nil, err
	}
	if secret := e.secret(); secret != "" && e.client.Method == methodPost {
		form.Set("client_secret", secret)
	}
	for name, values := range form {
		more = append(more, oauth2.SetAuthURLParam(name, values[0]))
	}
	return more, nil
}
