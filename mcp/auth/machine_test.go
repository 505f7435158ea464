package auth_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/http"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"mcpq/mcp/auth"
	"mcpq/mcp/auth/authtest"
)

// keys are one of each kind, as files hold them.
func keys(t *testing.T) map[string][]byte {
	t.Helper()
	must := func(data []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	const bits = 2048
	rsaKey, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string, der []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}) }
	return map[string][]byte{
		"ES256 PKCS8": block("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(ecKey))),
		"ES256 SEC1":  block("EC PRIVATE KEY", must(x509.MarshalECPrivateKey(ecKey))),
		"RS256 PKCS1": block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(rsaKey)),
		"PS256 PKCS8": block("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(rsaKey))),
		"EdDSA PKCS8": block("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(edKey))),
		"ES256 JWK":   must(jose.JSONWebKey{Key: ecKey, KeyID: "k1"}.MarshalJSON()),
	}
}

func TestClientCredentials(t *testing.T) {
	for _, method := range []string{"client_secret_basic", "client_secret_post"} {
		t.Run(method, func(t *testing.T) {
			const secret = "a secret: with % and ü"
			s := start(t, authtest.Config{AuthMethods: []string{method}, Clients: map[string]authtest.Client{"robot one": {Secret: secret, Method: method}}})
			s.options.Login = nil
			s.options.Client = auth.ClientOptions{ID: "robot one", Secret: secret}
			mustPost(t, s.transport(t), s.URL, "tools/list")
			if s.Count("client_credentials") != 1 || s.Count("register") != 0 {
				t.Error(s.Events())
			}
			data, err := s.options.Store.Load(t.Context(), auth.Key(s.URL))
			if err != nil || data == nil {
				t.Fatal(err)
			}
			(&secretsSeen{all: []string{secret}}).check(t, "the store", string(data))

			s.options.Client.Secret = "wrong-secret"
			s.options.Store = nil
			_, err = post(t, s.transport(t), s.URL, "tools/list")
			var refused *auth.TokenError
			if !errors.As(err, &refused) || refused.Code != "invalid_client" || refused.Status != http.StatusUnauthorized {
				t.Errorf("got %v", err)
			}
			s.secrets.check(t, "the error", err.Error())
		})
	}
}

func TestPrivateKeyJWT(t *testing.T) {
	for name, data := range keys(t) {
		t.Run(name, func(t *testing.T) {
			key, id, err := auth.ParseKey(data)
			if err != nil {
				t.Fatal(err)
			}
			s := start(t, authtest.Config{Clients: map[string]authtest.Client{"robot": {Key: key.Public(), Method: "private_key_jwt"}}})
			s.options.Login = nil
			s.options.Client = auth.ClientOptions{ID: "robot", Key: key, KeyID: id, Algorithm: name[:5]}
			mustPost(t, s.transport(t), s.URL, "tools/list")
			s.ExpireAll()
			mustPost(t, s.transport(t), s.URL, "tools/list") // with an assertion of its own
			if n := s.Count("client_credentials"); n != 2 {
				t.Errorf("%d tokens", n)
			}
		})
	}
}

func TestParseKeyRefuses(t *testing.T) {
	public, err := jose.JSONWebKey{Key: keyOf(t).Public()}.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"", "x", "{}", string(public), "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"} {
		if _, _, err := auth.ParseKey([]byte(data)); err == nil {
			t.Errorf("%q was taken for a key", data)
		}
	}
	_, err = auth.New(auth.Options{Server: "https://x.example", Client: auth.ClientOptions{ID: "c", Key: keyOf(t), Algorithm: "RS256"}})
	if !errors.As(err, new(*auth.ConfigError)) {
		t.Errorf("got %v", err)
	}
}

func keyOf(t *testing.T) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestJWTBearer(t *testing.T) {
	s := start(t, authtest.Config{Assertion: "the.workload.jwt"})
	s.options.Login = nil
	given := "the.workload.jwt"
	s.options.Assertion = func() (string, error) { return given, nil }
	tr := s.transport(t)
	mustPost(t, tr, s.URL, "tools/list")
	given = "an.expired.jwt"
	s.ExpireAll()
	_, err := post(t, tr, s.URL, "tools/list")
	var refused *auth.TokenError
	if !errors.As(err, &refused) || refused.Code != "invalid_grant" {
		t.Errorf("got %v", err)
	}
	if n := s.Count("jwt-bearer"); n != 2 {
		t.Errorf("%d exchanges: %s", n, s.Events())
	}
	s.secrets.check(t, "the error", err.Error())
}

func TestEnterprise(t *testing.T) {
	s := start(t, authtest.Config{
		IdentityJAG: "an.id.jag",
		Clients:     map[string]authtest.Client{"app": {Secret: "app-secret"}, "desktop": {Secret: "idp-secret", Method: "client_secret_post"}},
	})
	idp := s.Issuer // it may be one and the same in a test: the steps differ
	s.options.Login = nil
	s.options.Client = auth.ClientOptions{ID: "app", Secret: "app-secret"}
	s.options.Enterprise = &auth.EnterpriseOptions{
		IDToken: func() (string, error) { return "an.id.token", nil }, Issuer: idp, ClientID: "app", ClientSecret: "app-secret",
	}
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if s.Count("exchange") != 1 || s.Count("jwt-bearer") != 1 || s.Count("authorize") != 0 {
		t.Error(s.Events())
	}
}

func TestPreregisteredLogin(t *testing.T) {
	s := start(t, authtest.Config{Clients: map[string]authtest.Client{"known": {Secret: "its-secret"}}})
	s.options.Client = auth.ClientOptions{ID: "known", Secret: "its-secret"}
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if s.Count("register") != 0 || s.Count("code") != 1 {
		t.Error(s.Events())
	}
	// The login is good without the secret at hand.
	s.options.Client, s.options.Login = auth.ClientOptions{}, nil
	s.ExpireAll()
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if s.Count("refresh") != 1 {
		t.Error(s.Events())
	}
	// For another client there is none.
	s.options.Client.ID = "somebody else"
	if _, err := post(t, s.transport(t), s.URL, "tools/list"); !errors.As(err, new(*auth.LoginRequiredError)) {
		t.Errorf("got %v", err)
	}
}

func TestMetadataDocument(t *testing.T) {
	s := start(t, authtest.Config{Metadata: func(m map[string]any) { m["client_id_metadata_document_supported"] = true }})
	s.options.Client.MetadataURL = "https://client.example/metadata.json"
	mustPost(t, s.transport(t), s.URL, "tools/list")
	if s.Count("register") != 0 {
		t.Error(s.Events())
	}
}
