package mcptest

import (
	"fmt"
	"strconv"
	"strings"
)

// rule is what to do with the messages that fit it.
type rule struct {
	method string // a JSON-RPC method, "*", or one of the special heads
	name   string // params.name, params.uri or a path; "" fits all
	from   int    // which of the messages that fit, counted from 1
	to     int    // 0: no end
	steps  []step

	// answers: a step takes the place of the well-behaved answer.
	answers bool
	// blocks: the rule may take long, so the messages after it are not kept
	// waiting.
	blocks bool
}

// step is one line of a rule, ready to run.
type step func(t *turn) error

func parseRule(head string) (*rule, error) {
	r := &rule{from: 1}
	words := strings.Fields(head)
	// A comment may stand behind the head; "#2" is no comment.
	for i, w := range words {
		if w == "#" {
			words = words[:i]
			break
		}
	}
	if n := len(words); n > 0 && strings.HasPrefix(words[n-1], "#") {
		if err := r.parseWhen(words[n-1][1:]); err != nil {
			return nil, err
		}
		words = words[:n-1]
	}
	switch len(words) {
	case 2:
		r.name = words[1]
		fallthrough
	case 1:
		r.method = words[0]
	default:
		return nil, fmt.Errorf("a rule is \"on METHOD [NAME] [#WHEN]\", not %q", head)
	}
	switch r.method {
	case "GET", "POST", "DELETE":
		if r.name == "" {
			r.name = endpointPath
		}
	}
	return r, nil
}

func (r *rule) parseWhen(when string) (err error) {
	first, last, isRange := strings.Cut(when, "-")
	if r.from, err = strconv.Atoi(first); err != nil || r.from < 1 {
		return fmt.Errorf("not a count: %q", when)
	}
	switch {
	case !isRange:
		r.to = r.from
	case last != "":
		if r.to, err = strconv.Atoi(last); err != nil {
			return fmt.Errorf("not a count: %q", when)
		}
	}
	return nil
}

// fits tells whether the rule is about this kind of message, the count aside.
func (r *rule) fits(method, name string) bool {
	if r.name != "" && r.name != name {
		return false
	}
	return r.method == method || r.method == "*" && !isHead(method)
}

// isHead tells the heads of rules that are not about a message.
func isHead(method string) bool {
	switch method {
	case "start", "eof", "GET", "POST", "DELETE", "HTTP":
		return true
	}
	return false
}

// ruleFor returns the first rule that fits, and how often it has been taken.
// The counts belong to the server, not to the script.
func (s *server) ruleFor(method, name string) (found *rule, run int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.script.rules {
		if !r.fits(method, name) {
			continue
		}
		s.seen[r]++
		seen := s.seen[r]
		if found != nil || seen < r.from || r.to != 0 && seen > r.to {
			continue
		}
		found, run = r, seen-r.from+1
	}
	return found, run
}
