package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// ParseKey reads the private key of a client: PEM (PKCS #8, PKCS #1 or SEC 1)
// or a JWK. The id is that of a JWK, if it has one.
func ParseKey(data []byte) (key crypto.Signer, id string, err error) {
	if strings.HasPrefix(strings.TrimSpace(string(data)), "{") {
		var jwk jose.JSONWebKey
		if err := jwk.UnmarshalJSON(data); err != nil {
			return nil, "", errors.New("not a JWK that can be used")
		}
		signer, ok := jwk.Key.(crypto.Signer)
		if !ok {
			return nil, "", errors.New("the JWK is no private key")
		}
		return signer, jwk.KeyID, nil
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, "", errors.New("neither PEM nor a JWK")
	}
	var parsed any
	switch block.Type {
	case "PRIVATE KEY":
		parsed, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		parsed, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		parsed, err = x509.ParseECPrivateKey(block.Bytes)
	default:
		err = fmt.Errorf("a PEM block %q is no private key in the clear", plain(block.Type))
	}
	if err != nil {
		return nil, "", err
	}
	signer, ok := parsed.(crypto.Signer)
	if !ok {
		return nil, "", errors.New("the key cannot sign")
	}
	return signer, "", nil
}

// keyAlgorithm is how the key signs; wanted is what the user says.
func keyAlgorithm(key crypto.Signer, wanted string) (jose.SignatureAlgorithm, error) {
	var possible []jose.SignatureAlgorithm
	switch k := key.(type) {
	case *ecdsa.PrivateKey:
		switch k.Curve.Params().BitSize {
		case 256:
			possible = append(possible, jose.ES256)
		case 384:
			possible = append(possible, jose.ES384)
		case 521:
			possible = append(possible, jose.ES512)
		}
	case *rsa.PrivateKey:
		possible = append(possible, jose.RS256, jose.PS256, jose.RS384, jose.PS384, jose.RS512, jose.PS512)
	case ed25519.PrivateKey:
		possible = append(possible, jose.EdDSA)
	}
	for _, alg := range possible {
		if wanted == "" || wanted == string(alg) {
			return alg, nil
		}
	}
	if wanted == "" {
		return "", errors.New("a key of a kind that cannot be used")
	}
	return "", fmt.Errorf("the key does not sign with %s", plain(wanted))
}

// signJWT makes a compact JWT.
func signJWT(alg jose.SignatureAlgorithm, key any, options *jose.SignerOptions, claims map[string]any) (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, options)
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}

// clientAssertion is how a client with a key shows who it is (RFC 7523).
func clientAssertion(o *ClientOptions, id, audience string, now time.Time) (string, error) {
	alg, err := keyAlgorithm(o.Key, o.Algorithm)
	if err != nil {
		return "", &ConfigError{Option: "client key", Err: err}
	}
	const life = time.Minute
	key := jose.JSONWebKey{Key: o.Key, KeyID: o.KeyID}
	return signJWT(alg, key, (&jose.SignerOptions{}).WithType("JWT"), map[string]any{
		"iss": id, "sub": id, "aud": audience, "jti": random(),
		"iat": now.Unix(), "exp": now.Add(life).Unix(),
	})
}

// random is a text that nobody can guess.
func random() string {
	b := make([]byte, 24)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}
