package mcp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// The rules of what is kept (2026-07-28, server/utilities/caching):
//
//   - only complete results of server/discover, the four lists and
//     resources/read, in the stateless era, and only those whose ttlMs is more
//     than 0; never one that input was given for;
//   - a kept answer is only given to the same request: the same server,
//     version, declared capabilities, method, cursor and URI; and unless its
//     cacheScope is "public", only to the same credentials;
//   - it is fresh until its ttlMs is over, or a notification says that what it
//     tells has changed; one that is not is never used, even if the server
//     cannot be reached: whoever asks is better told so;
//   - the pages of a list each have their own time, but a later page only goes
//     with the first page that led to it. So pages of two readings are never
//     mixed, and a first page that goes takes the list with it.

// Cache keeps answers of servers, and which era they speak, from one session to
// the next. Keys are short, of lower case letters and digits; what is put under
// one replaces what was there. It may lose anything at any time, and must be
// safe for concurrent use. Failures are its own business.
type Cache interface {
	Get(key string) (value []byte, ok bool)
	Put(key string, value []byte)
	Delete(key string)
}

// Identity says whose answers a cache keeps.
type Identity struct {
	// Server names the server and everything that changes what it answers:
	// its URL, or its command with arguments, directory and environment.
	Server string

	// Credentials names what requests are authorized by. It is asked
	// whenever that matters, since they may change; nil is for none.
	Credentials func() string
}

// CacheUse is an answer taken from the cache.
type CacheUse struct {
	Method string
	Age    time.Duration
}

const (
	// maxKeptAnswer bounds one kept answer.
	maxKeptAnswer = 4 << 20
	// longestTTL bounds what a server may ask for, and how long its era is
	// believed.
	longestTTL = 7 * 24 * time.Hour
)

// memory is what a client keeps of its server. A nil memory keeps nothing.
type memory struct {
	cache    Cache
	identity Identity
	refresh  bool // write, do not read
	used     func(CacheUse)
	changes  changeTimes
	wrong    bool // what was believed; only known while connecting
}

// newMemory gives nil when there is nowhere to keep anything, or no telling of
// whom.
func newMemory(o *Options) *memory {
	if o.Cache == nil || o.Identity.Server == "" {
		return nil
	}
	return &memory{cache: o.Cache, identity: o.Identity, refresh: o.Refresh, used: o.Cached}
}

// key makes a key of parts. It is a hash, so that it says nothing of what may
// be secret.
func (m *memory) key(parts ...string) string {
	h := sha256.New()
	for _, p := range append([]string{m.identity.Server}, parts...) {
		// The length keeps parts apart.
		h.Write(append(strconv.AppendInt(nil, int64(len(p)), 10), ':'))
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// credentials are those of now, in the form they stand in a key.
func (m *memory) credentials() string {
	if m.identity.Credentials == nil {
		return ""
	}
	return m.identity.Credentials()
}

// slot is where the answer to one request is kept.
type slot struct {
	method  string
	parts   []string
	subject string // of the notifications that make it stale; "" for none
}

func (m *memory) public(s slot) string { return m.key(append([]string{"public"}, s.parts...)...) }

func (m *memory) private(s slot, credentials string) string {
	return m.key(append([]string{"private", credentials}, s.parts...)...)
}

// kept is an answer with its times.
type kept struct {
	Asked    int64 `json:"asked"`    // when the request was made, in ns
	Received int64 `json:"received"` // when the answer came
	TTL      int64 `json:"ttl"`      // in ns
	raw      json.RawMessage
}

// root names a first page in the slots of the pages after it.
func (k *kept) root() string { return strconv.FormatInt(k.Received, 36) }

func (k *kept) fresh(now time.Time) bool {
	age := now.UnixNano() - k.Received
	return age >= 0 && age < k.TTL // less than 0: the clock was set back
}

func (k *kept) encode() ([]byte, error) {
	head, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	return append(append(head, '\n'), k.raw...), nil
}

func decodeKept(value []byte) (*kept, bool) {
	head, raw, ok := bytes.Cut(value, []byte("\n"))
	k := &kept{raw: raw}
	return k, ok && len(raw) > 0 && json.Unmarshal(head, k) == nil
}

// find gives the fresh answer kept in a slot; nil if there is none.
func (m *memory) find(s slot) *kept {
	if m == nil || m.refresh {
		return nil
	}
	now := time.Now()
	for _, key := range []func() string{
		func() string { return m.public(s) },
		func() string { return m.private(s, m.credentials()) },
	} {
		value, ok := m.cache.Get(key())
		if !ok {
			continue
		}
		k, ok := decodeKept(value)
		if ok && k.fresh(now) && !m.changedSince(s.subject, k.Asked) {
			if m.used != nil {
				m.used(CacheUse{Method: s.method, Age: now.Sub(time.Unix(0, k.Received))})
			}
			return k
		}
	}
	return nil
}

// question is a request that is being made, and whose answer may be kept.
type question struct {
	asked       time.Time
	credentials string
}

func (m *memory) ask() question {
	if m == nil {
		return question{}
	}
	return question{asked: time.Now(), credentials: m.credentials()}
}

// keep puts an answer into a slot if that is allowed, and otherwise takes out
// what an earlier one left there. It gives nil for an answer that is not kept.
func (m *memory) keep(s slot, q question, raw, ttl, scope json.RawMessage) *kept {
	if m == nil {
		return nil
	}
	now := time.Now()
	k := &kept{Asked: q.asked.UnixNano(), Received: now.UnixNano(), TTL: int64(lifetime(ttl)), raw: raw}
	public, private := m.public(s), m.private(s, q.credentials)
	key, other := private, public
	if string(scope) == `"public"` {
		key, other = public, private
	}
	m.cache.Delete(other)
	value, err := k.encode()
	// Credentials that changed meanwhile: there is no telling which ones the
	// answer was given to.
	if err != nil || k.TTL <= 0 || len(value) > maxKeptAnswer || key == private && m.credentials() != q.credentials {
		m.cache.Delete(key)
		return nil
	}
	m.cache.Put(key, value)
	return k
}

// drop takes out what is kept in a slot.
func (m *memory) drop(s slot) {
	if m != nil {
		m.cache.Delete(m.public(s))
		m.cache.Delete(m.private(s, m.credentials()))
	}
}

// lifetime reads a ttlMs; 0 for what is none.
func lifetime(ttl json.RawMessage) time.Duration {
	ms, err := strconv.ParseFloat(string(ttl), 64)
	if err != nil && !math.IsInf(ms, 1) || !(ms > 0) {
		return 0
	}
	return time.Duration(min(ms*float64(time.Millisecond), float64(longestTTL)))
}
