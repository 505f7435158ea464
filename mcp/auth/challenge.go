package auth

import "strings"

// Challenge is one challenge of a WWW-Authenticate header (RFC 9110, section
// 11.6.1).
type Challenge struct {
	Scheme string            // in lower case
	Params map[string]string // names in lower case; the first of a name counts
}

// ParseChallenges reads the values of WWW-Authenticate headers. What makes no
// sense is left out.
func ParseChallenges(values []string) []Challenge {
	var all []Challenge
	for _, v := range values {
		p := challengeParser{rest: v}
		all = append(all, p.parse()...)
	}
	return all
}

type challengeParser struct{ rest string }

func (p *challengeParser) parse() []Challenge {
	var all []Challenge
	for {
		p.rest = strings.TrimLeft(p.rest, " \t,")
		if p.rest == "" {
			return all
		}
		word := p.token()
		if word == "" {
			p.skip()
			continue
		}
		// "name =" continues a challenge, anything else begins one.
		if after := strings.TrimLeft(p.rest, " \t"); len(all) > 0 && strings.HasPrefix(after, "=") {
			p.rest = strings.TrimLeft(after[1:], " \t")
			value, ok := p.value()
			if !ok {
				p.skip()
				continue
			}
			name := strings.ToLower(word)
			if _, twice := all[len(all)-1].Params[name]; !twice {
				all[len(all)-1].Params[name] = value
			}
			continue
		}
		all = append(all, Challenge{Scheme: strings.ToLower(word), Params: map[string]string{}})
		p.token68()
	}
}

// token68 steps over credentials such as those of Negotiate.
func (p *challengeParser) token68() {
	rest := strings.TrimLeft(p.rest, " \t")
	n := 0
	for n < len(rest) && (isTokenByte(rest[n]) || rest[n] == '/') {
		n++
	}
	for n < len(rest) && rest[n] == '=' {
		n++
	}
	if end := strings.TrimLeft(rest[n:], " \t"); n > 0 && (end == "" || end[0] == ',') {
		p.rest = end
	}
}

func (p *challengeParser) token() string {
	n := 0
	for n < len(p.rest) && isTokenByte(p.rest[n]) {
		n++
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

func (p *challengeParser) value() (string, bool) {
	if !strings.HasPrefix(p.rest, `"`) {
		// Not only tokens: URLs and scopes are found without quotes too.
		n := strings.IndexAny(p.rest, ", \t")
		if n < 0 {
			n = len(p.rest)
		}
		word := p.rest[:n]
		p.rest = p.rest[n:]
		return word, true
	}
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '\\' && i+1 < len(p.rest):
			i++
			b.WriteByte(p.rest[i])
		case c == '"':
			p.rest = p.rest[i+1:]
			return b.String(), true
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// skip gives up what comes before the next comma.
func (p *challengeParser) skip() {
	if _, rest, ok := strings.Cut(p.rest, ","); ok {
		p.rest = rest
	} else {
		p.rest = ""
	}
}

func isTokenByte(c byte) bool {
	return c > ' ' && c < 0x7f && !strings.ContainsRune(`()<>@,;:\"/[]?={}`, rune(c))
}

// ours picks the challenge that this package can meet; its Scheme is empty when
// there is none.
func ours(all []Challenge) Challenge {
	var found Challenge
	for _, c := range all {
		if c.Scheme != "bearer" && c.Scheme != "dpop" {
			continue
		}
		if c.Params["resource_metadata"] != "" {
			return c
		}
		if found.Scheme == "" {
			found = c
		}
	}
	return found
}

// has reports whether one of the challenges has that error.
func has(all []Challenge, code string) bool {
	for _, c := range all {
		if c.Params["error"] == code {
			return true
		}
	}
	return false
}
