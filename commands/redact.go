package commands

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"mcpq/internal/rawjson"
)

// redacted stands for a secret.
const redacted = "[redacted]"

// secrets are texts that must not be shown. The zero value is ready for use.
type secrets struct {
	mu      sync.Mutex
	texts   []string
	replace *strings.Replacer // nil: there are none
}

// hide adds secrets.
func (s *secrets) hide(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		const shortest = 4 // anything shorter would deface ordinary text
		if len(text) < shortest {
			continue
		}
		quoted := string(rawjson.Quote(text)) // where JSON is shown as text
		for _, spelling := range []string{text, quoted[1 : len(quoted)-1]} {
			if !slices.Contains(s.texts, spelling) {
				s.texts = append(s.texts, spelling)
			}
		}
	}
	if len(s.texts) == 0 {
		return
	}
	// The first that fits is replaced: a secret that another one begins with
	// must not leave the rest of that one to be seen.
	slices.SortFunc(s.texts, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	pairs := make([]string, 0, 2*len(s.texts))
	for _, text := range s.texts {
		pairs = append(pairs, text, redacted)
	}
	s.replace = strings.NewReplacer(pairs...)
}

// text returns text without the secrets.
func (s *secrets) text(text string) string {
	s.mu.Lock()
	replace := s.replace
	s.mu.Unlock()
	if replace == nil {
		return text
	}
	return replace.Replace(text)
}

// begun is how much at the end of text may be the beginning of a secret.
func (s *secrets) begun(text string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	most := 0
	for _, secret := range s.texts {
		for n := min(len(secret)-1, len(text)); n > most; n-- {
			if strings.HasPrefix(secret, text[len(text)-n:]) {
				most = n
			}
		}
	}
	return most
}

// json returns a JSON document without the secrets, which stays JSON.
func (s *secrets) json(doc []byte) []byte {
	return editJSON(doc, func(_, text string) string { return s.text(text) })
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
