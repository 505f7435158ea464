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

// resourceMetadata is that of a protected resource (RFC 9728).
type resourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	ScopesSupported      []string `json:"scopes_supported"`
	DPoPRequired         bool     `json:"dpop_bound_access_tokens_required"`
}

// serverMetadata is that of an authorization server (RFC 8414, or OpenID
// Connect Discovery).
type serverMetadata struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RegistrationEndpoint  string   `json:"registration_endpoint"`
	RevocationEndpoint    string   `json:"revocation_endpoint"`
	DeviceEndpoint        string   `json:"device_authorization_endpoint"`
	ScopesSupported       []string `json:"scopes_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	AuthMethods           []string `json:"token_endpoint_auth_methods_supported"`
	DPoPAlgorithms        []string `json:"dpop_signing_alg_values_supported"`
	MetadataDocuments     bool     `json:"client_id_metadata_document_supported"`
	IssInAnswers          bool     `json:"authorization_response_iss_parameter_supported"`
	assumed               bool     // there was no document, see assume
}

// place is where a server sends its users: what discovery finds.
type place struct {
	resource string   // the identifier to ask tokens for
	scopes   []string // those the resource knows
	dpop     bool     // the resource takes bound tokens only
	server   serverMetadata
}

// discovery looks for the authorization server of one MCP server.
type discovery struct {
	net     *network
	server  *url.URL
	version string       // of the protocol, in the request that was refused
	prefer  []string     // issuers for which there are credentials
	notice  func(string) // is told what is unusual
}

// discover follows the challenge, or looks where metadata is when there is none.
func (d *discovery) discover(ctx context.Context, c Challenge) (*place, error) {
	meta, err := d.resource(ctx, c.Params["resource_metadata"])
	if errors.Is(err, errAbsent) {
		return d.base(ctx)
	}
	if err != nil {
		return nil, err
	}
	issuer := meta.AuthorizationServers[0]
	for _, i := range d.prefer {
		if slices.Contains(meta.AuthorizationServers, i) {
			issuer = i
			break
		}
	}
	server, err := d.authorizationServer(ctx, issuer)
	if err != nil {
		return nil, err
	}
	return &place{resource: meta.Resource, scopes: meta.ScopesSupported, dpop: meta.DPoPRequired, server: *server}, nil
}

// resource finds the metadata of the server as a protected resource: where the
// challenge says, else at the two well-known places.
func (d *discovery) resource(ctx context.Context, hinted string) (*resourceMetadata, error) {
	const wellKnown = "/.well-known/oauth-protected-resource"
	var places []string
	if hinted != "" {
		places = append(places, hinted)
	}
	root := origin(d.server)
	if path := d.server.EscapedPath(); path != "" && path != "/" {
		places = append(places, root+wellKnown+path)
	}
	places = append(places, root+wellKnown)
	for i, u := range places {
		if slices.Contains(places[:i], u) {
			continue
		}
		meta := new(resourceMetadata)
		err := d.net.document(ctx, u, nil, meta)
		if errors.Is(err, errAbsent) {
			continue
		}
		if err == nil {
			err = d.checkResource(u, meta)
		}
		if err != nil {
			return nil, err
		}
		return meta, nil
	}
	return nil, errAbsent
}

// checkResource holds metadata against the server it is for (RFC 9728, section
// 3.3). Documents that name the origin, or a path above the server's, are
// common; they are taken, and said aloud.
func (d *discovery) checkResource(from string, meta *resourceMetadata) error {
	refuse := func(format string, a ...any) error {
		return &MetadataError{URL: redactURL(from), Reason: fmt.Sprintf(format, a...)}
	}
	if meta.Resource == "" {
		return refuse("it names no resource")
	}
	if len(meta.AuthorizationServers) == 0 {
		return refuse("it names no authorization server")
	}
	u, err := url.Parse(meta.Resource)
	if err != nil || u.Fragment != "" || u.User != nil || u.Host == "" ||
		!sameOrigin(u, d.server) || !below(d.server.EscapedPath(), u.EscapedPath()) ||
		u.RawQuery != "" && u.RawQuery != d.server.RawQuery {
		return refuse("it is for the resource %q, not for %s", plain(meta.Resource), redactURL(d.server.String()))
	}
	if meta.Resource != canonical(d.server) && d.notice != nil {
		d.notice(fmt.Sprintf("the server calls itself %s; that is what tokens are asked for", plain(meta.Resource)))
	}
	return nil
}

// below reports whether path is prefix or something under it.
func below(path, prefix string) bool {
	path, prefix = strings.TrimRight(path, "/"), strings.TrimRight(prefix, "/")
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

// authorizationServer finds the metadata of an issuer.
func (d *discovery) authorizationServer(ctx context.Context, issuer string) (*serverMetadata, error) {
	u, err := parseURL(issuer, d.net.reach())
	if err != nil {
		return nil, err
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return nil, &MetadataError{URL: redactURL(issuer), Reason: "an issuer has no query and no fragment"}
	}
	root, path := origin(u), strings.TrimRight(u.EscapedPath(), "/")
	places := []string{root + "/.well-known/oauth-authorization-server" + path, root + "/.well-known/openid-configuration" + path}
	if path != "" {
		places = append(places, root+path+"/.well-known/openid-configuration")
	}
	for _, at := range places {
		meta, err := d.serverDocument(ctx, at, issuer, nil)
		if !errors.Is(err, errAbsent) {
			return meta, err
		}
	}
	return nil, &MetadataError{URL: redactURL(issuer), Reason: "there is none at the well-known places"}
}

// serverDocument fetches metadata and compares its issuer, as strings.
func (d *discovery) serverDocument(ctx context.Context, at, issuer string, header http.Header) (*serverMetadata, error) {
	meta := new(serverMetadata)
	if err := d.net.document(ctx, at, header, meta); err != nil {
		return nil, err
	}
	if meta.Issuer != issuer {
		return nil, &MetadataError{URL: redactURL(at), Reason: fmt.Sprintf("its issuer is %q instead of %q", plain(meta.Issuer), plain(issuer))}
	}
	return meta, nil
}

// base is the way of 2025-03-26, for servers without metadata of their own: the
// authorization server is at the root of the server, and where it has no
// metadata either its endpoints have fixed names.
func (d *discovery) base(ctx context.Context) (*place, error) {
	const versionWithBase = "2025-03-26"
	root := origin(d.server)
	version := d.version
	if version == "" {
		version = versionWithBase
	}
	p := &place{resource: canonical(d.server)}
	meta, err := d.serverDocument(ctx, root+"/.well-known/oauth-authorization-server", root, http.Header{"Mcp-Protocol-Version": {version}})
	switch {
	case err == nil:
		p.server = *meta
		return p, nil
	case !errors.Is(err, errAbsent):
		return nil, err
	}
	if u := d.server; u.Scheme != "https" && d.net.reach() < reachLoopback {
		return nil, &MetadataError{URL: root, Reason: "there is none, and a server without https is not asked for tokens"}
	}
	p.server = serverMetadata{
		Issuer:                root,
		AuthorizationEndpoint: root + "/authorize",
		TokenEndpoint:         root + "/token",
		RegistrationEndpoint:  root + "/register",
		ChallengeMethods:      []string{"S256"},
		assumed:               true,
	}
	return p, nil
}

// origin is scheme, host and port of a URL.
func origin(u *url.URL) string {
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host)
}

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return "80"
}

// canonical is the identifier of a server as a resource (RFC 8707).
func canonical(u *url.URL) string {
	s := origin(u)
	if path := u.EscapedPath(); path != "/" {
		s += path
	}
	if u.RawQuery != "" {
		s += "?" + u.RawQuery
	}
	return s
}
