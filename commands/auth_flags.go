package commands

import (
	"bytes"
	"errors"
	"os"
	"reflect"
	"strings"

	"mcpq/commands/servers"
	"mcpq/mcp/auth"
)

// AuthFlags say how requests to an HTTP server are authorized. Secrets come in
// files or in the environment; --token is there for those who know their
// process list.
type AuthFlags struct {
	OAuth               string   `name:"oauth" enum:"auto,code,device,client-credentials,jwt-bearer,enterprise,none" default:"auto" placeholder:"HOW" group:"auth" help:"How to get a token: auto (what is stored or what these flags are complete for), code, device, client-credentials, jwt-bearer, enterprise or none."`
	Token               string   `placeholder:"TOKEN" group:"auth" help:"Send this access token. Better: MCPQ_TOKEN, or --token-file."`
	TokenFile           string   `placeholder:"FILE" group:"auth" help:"Send the access token in FILE."`
	Login               bool     `group:"auth" help:"Log in when the server asks for it, as 'mcpq auth login' does."`
	Scope               []string `sep:"none" placeholder:"SCOPE" group:"auth" help:"Ask for these scopes; repeatable."`
	ClientID            string   `name:"client-id" placeholder:"ID" group:"auth" help:"The client id that the authorization server knows."`
	ClientSecretFile    string   `placeholder:"FILE" group:"auth" help:"The client secret that goes with it. Or: MCPQ_CLIENT_SECRET."`
	ClientKey           string   `placeholder:"FILE" group:"auth" help:"The client's private key, PEM or JWK, for private_key_jwt."`
	ClientAlg           string   `placeholder:"ALG" group:"auth" help:"The algorithm the key signs with, such as PS256."`
	ClientAudience      string   `placeholder:"URL" group:"auth" help:"Whom the client's assertions are for, where that is not the issuer."`
	ClientMetadataURL   string   `name:"client-metadata-url" placeholder:"URL" group:"auth" help:"A client id metadata document to go by."`
	AssertionFile       string   `placeholder:"FILE" group:"auth" help:"The JWT to trade for a token (jwt-bearer), read anew each time. Or: MCPQ_ASSERTION."`
	IDTokenFile         string   `name:"id-token-file" placeholder:"FILE" group:"auth" help:"The identity token of an enterprise's identity provider. Or: MCPQ_ID_TOKEN."`
	IDPIssuer           string   `name:"idp-issuer" placeholder:"URL" group:"auth" help:"The identity provider."`
	IDPTokenEndpoint    string   `name:"idp-token-endpoint" placeholder:"URL" group:"auth" help:"Its token endpoint, where its metadata is not to be asked."`
	IDPClientID         string   `name:"idp-client-id" placeholder:"ID" group:"auth" help:"The client id that it knows."`
	IDPClientSecretFile string   `name:"idp-client-secret-file" placeholder:"FILE" group:"auth" help:"The client secret that goes with it. Or: MCPQ_IDP_CLIENT_SECRET."`
	DPoP                bool     `name:"dpop" group:"auth" help:"Bind tokens to a key (DPoP), so that they are of no use to others."`
	NoStore             bool     `group:"auth" help:"Neither use stored credentials nor store any."`
	Browser             string   `placeholder:"CMD" xor:"browser" group:"auth" help:"Log in with this browser: a command that is given the URL. Default: $$BROWSER, or that of the system."`
	NoBrowser           bool     `xor:"browser" group:"auth" help:"Log in by opening the URL elsewhere and pasting where it led to."`
	Device              bool     `xor:"browser" group:"auth" help:"Log in by typing a code on another device (--oauth device)."`
	CallbackPort        int      `placeholder:"PORT" group:"auth" help:"The port on 127.0.0.1 that a login comes back to (any)."`
	AllowHTTP           bool     `name:"allow-http" group:"auth" help:"Send tokens to servers without https that are not on this machine."`
}

// oauthNone is --oauth none: requests go out as they are.
const oauthNone = "none"

// given reports whether there is any of the flags, but those that only say what
// not to do.
func (f *AuthFlags) given() bool {
	g := *f
	if g.OAuth == oauthNone || g.OAuth == string(auth.Auto) {
		g.OAuth = ""
	}
	g.NoStore = false
	return !reflect.ValueOf(g).IsZero()
}

// secretEnv are the variables that are for mcpq and for nobody it starts.
func secretEnv() []string {
	return []string{"MCPQ_TOKEN", "MCPQ_CLIENT_SECRET", "MCPQ_ASSERTION", "MCPQ_ID_TOKEN", "MCPQ_IDP_CLIENT_SECRET"}
}

// withoutSecrets is an environment for other programs.
func withoutSecrets(environ []string) []string {
	kept := make([]string, 0, len(environ))
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		secret := strings.HasPrefix(strings.ToUpper(name), servers.InputPrefix)
		for _, s := range secretEnv() {
			secret = secret || strings.EqualFold(name, s)
		}
		if !secret {
			kept = append(kept, pair)
		}
	}
	return kept
}

// secret reads a secret from a file, else from the environment.
func (r *runner) secret(flag, file, variable string) (string, error) {
	if file == "" {
		s := strings.TrimSpace(r.env.Getenv(variable))
		r.secrets.hide(s)
		return s, nil
	}
	data, err := os.ReadFile(file)
	s := string(bytes.TrimSpace(data))
	if err == nil && s == "" {
		err = errors.New(file + " is empty")
	}
	if err != nil {
		return "", usagef("%s: %w", flag, err)
	}
	r.secrets.hide(s)
	return s, nil
}

// lazily reads a secret when it is needed: such files are replaced while a
// program runs. That there is one is checked at once.
func (r *runner) lazily(flag, file, variable string) (func() (string, error), error) {
	s, err := r.secret(flag, file, variable)
	if err != nil || s == "" {
		return nil, err
	}
	return func() (string, error) { return r.secret(flag, file, variable) }, nil
}

// token is the access token that the user gave.
func (r *runner) token() (string, error) {
	f := &r.grammar.AuthFlags
	if f.Token != "" && f.TokenFile != "" {
		return "", usagef("two tokens given: --token and --token-file")
	}
	token := f.Token
	if token == "" {
		var err error
		if token, err = r.secret("--token-file", f.TokenFile, "MCPQ_TOKEN"); err != nil {
			return "", err
		}
	}
	r.secrets.hide(token)
	if strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return "", usagef("the token has characters in it that no token has")
	}
	return token, nil
}

// authOptions makes options of the flags, without those of a login.
func (r *runner) authOptions(server string) (*auth.Options, error) {
	f := &r.grammar.AuthFlags
	o := &auth.Options{
		Server: server, Plain: f.AllowHTTP, DPoP: f.DPoP, Grant: auth.Grant(f.OAuth),
		Scopes: strings.Fields(strings.Join(f.Scope, " ")),
		Client: auth.ClientOptions{
			Name: "mcpq", ID: f.ClientID, Algorithm: f.ClientAlg, Audience: f.ClientAudience, MetadataURL: f.ClientMetadataURL,
		},
		Hide: r.secrets.hide,
		Notice: func(text string) {
			if r.grammar.Verbose > 0 {
				r.messages.Line("* auth: " + text)
			}
		},
	}
	if f.Device {
		if o.Grant != auth.Auto && o.Grant != auth.Device {
			return nil, usagef("--device does not go with --oauth %s", f.OAuth)
		}
		o.Grant = auth.Device
	}
	var err error
	if o.Token, err = r.token(); err != nil {
		return nil, err
	}
	if o.Client.Secret, err = r.secret("--client-secret-file", f.ClientSecretFile, "MCPQ_CLIENT_SECRET"); err != nil {
		return nil, err
	}
	if f.ClientKey != "" {
		data, err := os.ReadFile(f.ClientKey)
		if err == nil {
			o.Client.Key, o.Client.KeyID, err = auth.ParseKey(data)
		}
		if err != nil {
			return nil, usagef("--client-key: %w", err)
		}
	}
	if f.ClientID == "" && (f.ClientSecretFile != "" || f.ClientKey != "" && f.ClientMetadataURL == "") {
		return nil, usagef("a client secret or key goes with --client-id")
	}
	if o.Assertion, err = r.lazily("--assertion-file", f.AssertionFile, "MCPQ_ASSERTION"); err != nil {
		return nil, err
	}
	return o, r.enterprise(o)
}

// enterprise adds the identity provider, where one is named.
func (r *runner) enterprise(o *auth.Options) error {
	f := &r.grammar.AuthFlags
	if f.IDPIssuer == "" && f.IDPTokenEndpoint == "" {
		if f.IDTokenFile != "" {
			return usagef("--id-token-file goes with --idp-issuer or --idp-token-endpoint")
		}
		return nil
	}
	token, err := r.lazily("--id-token-file", f.IDTokenFile, "MCPQ_ID_TOKEN")
	if err != nil {
		return err
	}
	if token == nil {
		return usagef("an identity provider goes with --id-token-file or MCPQ_ID_TOKEN")
	}
	secret, err := r.secret("--idp-client-secret-file", f.IDPClientSecretFile, "MCPQ_IDP_CLIENT_SECRET")
	if err != nil {
		return err
	}
	o.Enterprise = &auth.EnterpriseOptions{
		IDToken: token, Issuer: f.IDPIssuer, TokenEndpoint: f.IDPTokenEndpoint, ClientID: f.IDPClientID, ClientSecret: secret,
	}
	return nil
}
