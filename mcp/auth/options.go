package auth

import (
	"context"
	"crypto"
	"errors"
	"net/http"
	"net/url"
	"time"
)

// Options say which server is meant and in which ways a token may be had.
type Options struct {
	// Server is the URL of the MCP server.
	Server string

	// Base makes the requests; nil means http.DefaultTransport.
	Base http.RoundTripper

	// Network has the TLS and proxy settings for metadata and tokens, where its
	// client certificates are not used: those are for the server. Nil means
	// Base, when that is an *http.Transport.
	Network *http.Transport

	// Token is an access token to be sent as it is. Nothing else is tried then.
	Token string

	// Plain allows credentials to be sent to a server over http although it is
	// not on this machine.
	Plain bool

	Grant  Grant // empty means Auto
	Scopes []string

	// Client is who we are, where that was agreed on beforehand.
	Client ClientOptions

	// Assertion gives the JWT of the JWTBearer grant. It is asked anew for each
	// token.
	Assertion func() (string, error)

	// Enterprise is what the Enterprise grant needs.
	Enterprise *EnterpriseOptions

	// DPoP binds tokens to a key (RFC 9449). Where a resource demands that, it
	// is done in any case.
	DPoP bool

	// Store keeps credentials; nil means as long as the Transport.
	Store Store

	// Login is how a person is asked; nil: not at all.
	Login *Login

	// Hide is told every secret before it is used. May be nil.
	Hide func(secrets ...string)

	// Notice is told what was done, and what was unusual. May be nil.
	Notice func(string)

	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// ClientOptions are who we are for an authorization server.
type ClientOptions struct {
	Name        string // shown to the person who logs in
	ID          string
	Secret      string
	Key         crypto.Signer // for private_key_jwt
	KeyID       string
	Algorithm   string // of Key; empty means the usual one of its kind
	Audience    string // of the assertion; empty means the issuer
	MetadataURL string // a client id metadata document to go by
}

// EnterpriseOptions are those of enterprise-managed authorization: an identity
// provider that vouches for the user.
type EnterpriseOptions struct {
	IDToken       func() (string, error) // the identity assertion
	Issuer        string                 // of the identity provider; or
	TokenEndpoint string                 // its token endpoint
	ClientID      string                 // who we are for it
	ClientSecret  string
}

// Login is how a person is asked to log in.
type Login struct {
	// Open shows a URL in a browser. Nil means that there is none. It returns
	// when the browser has the URL; the context ends with the login.
	Open func(ctx context.Context, url string) error

	// Paste shows a URL to the person and returns the URL they were sent to in
	// the end. Nil means that nobody can be asked.
	Paste func(ctx context.Context, url string) (string, error)

	// Device shows where to type in which code. complete may be empty; with
	// it nothing has to be typed.
	Device func(url, code, complete string)

	// Port is that of the callback on 127.0.0.1; 0 means any.
	Port int

	// Patience is how long a person may take; 0 means five minutes.
	Patience time.Duration
}

// check finds options that contradict each other.
func (o *Options) check() (*url.URL, error) {
	u, err := url.Parse(o.Server)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &ConfigError{Option: "server", Err: errors.New("not an http or https URL")}
	}
	needs := func(ok bool, what string) error {
		if ok {
			return nil
		}
		return &ConfigError{Option: string(o.Grant), Err: errors.New("it needs " + what)}
	}
	switch o.Grant {
	case "", Auto, Code, Device:
	case ClientCredentials:
		err = needs(o.Client.ID != "" && (o.Client.Secret != "" || o.Client.Key != nil), "a client id, and a client secret or key")
	case JWTBearer:
		err = needs(o.Assertion != nil, "an assertion")
	case Enterprise:
		err = needs(o.Enterprise != nil && o.Enterprise.IDToken != nil && (o.Enterprise.Issuer != "" || o.Enterprise.TokenEndpoint != ""),
			"an identity token, and the issuer or token endpoint of the identity provider")
	default:
		return nil, &ConfigError{Option: "grant", Err: errors.New("unknown: " + string(o.Grant))}
	}
	if err != nil {
		return nil, err
	}
	if o.Client.Key != nil {
		if _, err := keyAlgorithm(o.Client.Key, o.Client.Algorithm); err != nil {
			return nil, &ConfigError{Option: "client key", Err: err}
		}
	}
	if m := o.Client.MetadataURL; m != "" {
		if d, err := url.Parse(m); err != nil || d.Scheme != "https" || d.Host == "" || d.Path == "" || d.Path == "/" || d.Fragment != "" {
			return nil, &ConfigError{Option: "client metadata", Err: errors.New("not an https URL with a path")}
		}
	}
	return u, nil
}

// grant is the way to go. With everything for a machine at hand a person is
// only asked when that was asked for.
func (o *Options) grant() Grant {
	switch {
	case o.Grant != "" && o.Grant != Auto:
		return o.Grant
	case o.Enterprise != nil:
		return Enterprise
	case o.Assertion != nil:
		return JWTBearer
	case o.Login == nil && o.Client.ID != "" && (o.Client.Secret != "" || o.Client.Key != nil):
		return ClientCredentials
	}
	return Code
}

func (g Grant) machine() bool { return g == ClientCredentials || g == JWTBearer || g == Enterprise }
