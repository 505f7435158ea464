package commands

import (
	"io"
	"strings"
	"sync"
)

// redacted stands for a secret.
const redacted = "[redacted]"

// secrets are texts that must not be shown. The zero value is ready for use.
type secrets struct {
	mu      sync.Mutex
	pairs   []string
	replace *strings.Replacer // nil: there are none
}

// hide adds secrets.
func (s *secrets) hide(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		const shortest = 4 // anything shorter would deface ordinary text
		if len(text) >= shortest {
			s.pairs = append(s.pairs, text, redacted)
			s.replace = strings.NewReplacer(s.pairs...)
		}
	}
}

// writer returns a writer to w that leaves the secrets out. What is written in
// one piece is looked through; a message is one piece.
func (s *secrets) writer(w io.Writer) io.Writer { return &redactor{s, w} }

type redactor struct {
	secrets *secrets
	w       io.Writer
}

func (r *redactor) Write(p []byte) (int, error) {
	r.secrets.mu.Lock()
	replace := r.secrets.replace
	r.secrets.mu.Unlock()
	if replace == nil {
		return r.w.Write(p)
	}
	if _, err := replace.WriteString(r.w, string(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// isSecret reports whether a header or query parameter of that name carries a
// secret.
func isSecret(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"authorization", "cookie", "token", "secret", "key", "password", "session", "signature", "credential"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// secretParts gives what must not be shown of header values: the values, and
// what follows a scheme such as Bearer.
func secretParts(values []string) []string {
	var parts []string
	for _, v := range values {
		parts = append(parts, v)
		if _, credentials, ok := strings.Cut(v, " "); ok {
			parts = append(parts, credentials)
		}
	}
	return parts
}
