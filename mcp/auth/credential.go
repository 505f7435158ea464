package auth

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// Grant is a way of getting a token.
type Grant string

// The grants. Code and Device need a person.
const (
	Auto              Grant = "auto" // what Options are complete for, else Code
	Code              Grant = "code"
	Device            Grant = "device"
	ClientCredentials Grant = "client-credentials"
	JWTBearer         Grant = "jwt-bearer"
	Enterprise        Grant = "enterprise"
)

// Credential is a token and all that is needed to use and renew it.
type Credential struct {
	Issuer    string   `json:"issuer"`
	Resource  string   `json:"resource"`
	Grant     Grant    `json:"grant"`
	Client    Client   `json:"client"`
	Requested []string `json:"requested,omitempty"` // scopes asked for
	Granted   []string `json:"granted,omitempty"`   // scopes given, as far as was said

	AccessToken  string    `json:"access_token,omitempty"`
	TokenType    string    `json:"token_type,omitempty"` // Bearer or DPoP
	RefreshToken string    `json:"refresh_token,omitempty"`
	Issued       time.Time `json:"issued"`
	Expires      time.Time `json:"expires,omitzero"` // zero: not known

	TokenEndpoint      string          `json:"token_endpoint"`
	RevocationEndpoint string          `json:"revocation_endpoint,omitempty"`
	DPoPKey            json.RawMessage `json:"dpop_key,omitempty"` // a private JWK
}

// Client is who we are for one authorization server.
type Client struct {
	ID          string `json:"id"`
	Secret      string `json:"secret,omitempty"`
	Method      string `json:"method"` // token_endpoint_auth_method
	Source      string `json:"source"` // registered, document or configured
	RedirectURI string `json:"redirect_uri,omitempty"`
}

// Where a Client comes from.
const (
	registered = "registered" // dynamically, with this issuer alone
	document   = "document"   // its id is the URL of a document
	configured = "configured"
)

// usable reports whether the access token may be sent at that time. Shortly
// before its end it counts as ended, so that it does not end on its way.
func (c *Credential) usable(now time.Time) bool {
	if c.AccessToken == "" {
		return false
	}
	const most, part = 30 * time.Second, 10
	return c.Expires.IsZero() || now.Add(min(most, c.Expires.Sub(c.Issued)/part)).Before(c.Expires)
}

// scopes are those the token is for, as far as is known.
func (c *Credential) scopes() []string {
	if c.Granted != nil {
		return c.Granted
	}
	return c.Requested
}

// same reports whether both take each other's place.
func (c *Credential) same(o *Credential) bool {
	return c.Issuer == o.Issuer && c.Resource == o.Resource && c.Client.ID == o.Client.ID && c.Grant == o.Grant
}

// Store keeps what is known about servers, by their URLs. Its methods are safe
// for concurrent use, by other processes too.
type Store interface {
	// Load gives what was stored, nil for nothing.
	Load(ctx context.Context, server string) ([]byte, error)

	// Update stores what change makes of what was stored; nil removes it.
	// No other Update of that server runs meanwhile, in any process.
	Update(ctx context.Context, server string, change func(old []byte) ([]byte, error)) error
}

// record is what is stored of a server, the latest credential first.
type record struct {
	Credentials []*Credential `json:"credentials"`
}

// decodeRecord is lenient: what cannot be read counts as nothing, and is
// replaced at the next login.
func decodeRecord(data []byte) *record {
	r := new(record)
	if json.Unmarshal(data, r) != nil {
		return new(record)
	}
	r.Credentials = slices.DeleteFunc(r.Credentials, func(c *Credential) bool { return c == nil })
	return r
}

func (r *record) encode() ([]byte, error) {
	if len(r.Credentials) == 0 {
		return nil, nil
	}
	return json.Marshal(r)
}

// put makes c the first, in the place of the one it follows.
func (r *record) put(c *Credential) {
	r.Credentials = slices.DeleteFunc(r.Credentials, c.same)
	r.Credentials = slices.Insert(r.Credentials, 0, c)
}

func (r *record) find(c *Credential) *Credential {
	for _, o := range r.Credentials {
		if o.same(c) {
			return o
		}
	}
	return nil
}

// Memory is a Store that forgets everything with the process. The zero value is
// ready for use.
type Memory struct {
	mu   sync.Mutex
	data map[string][]byte
}

// Load gives what was stored.
func (m *Memory) Load(_ context.Context, server string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.data[server], nil
}

// Update stores what change makes of it.
func (m *Memory) Update(_ context.Context, server string, change func([]byte) ([]byte, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, err := change(m.data[server])
	if err != nil {
		return err
	}
	if m.data == nil {
		m.data = make(map[string][]byte)
	}
	m.data[server] = data
	return nil
}
