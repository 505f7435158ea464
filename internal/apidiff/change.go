package apidiff

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"mcpq/internal/rawjson"
)

// Weight says how much a change asks for a look.
type Weight int

// The weights of changes.
const (
	Words    Weight = iota // what is there for readers: titles, descriptions, icons
	Addition               // more is offered, or more is accepted than before
	Caution                // nothing breaks, but something may behave otherwise
	Breaks
)

// Change is one difference.
type Change struct {
	Kind     string // server, tool, prompt, resource or template
	Name     string // or URI; "" for the server
	Path     string // of what changed within the definition, as jq writes it; "" for all of it
	Change   string // added, removed, changed, narrowed, widened, required or optional
	Breaking bool
	Old, New json.RawMessage // nil where there is none
	Message  string          // in words, on one line
	Weight   Weight
}

// The values of [Change].Change.
const (
	added    = "added"
	removed  = "removed"
	changed  = "changed"
	narrowed = "narrowed" // fewer values than before
	widened  = "widened"  // more
	required = "required" // what was optional
	optional = "optional" // what was required
)

// JSON writes the change with the bytes of old and new as they are.
func (c *Change) JSON() json.RawMessage {
	o := rawjson.Object{{Key: "kind", Value: rawjson.Quote(c.Kind)}}
	add := func(key string, value json.RawMessage, there bool) {
		if there {
			o = append(o, rawjson.Member{Key: key, Value: value})
		}
	}
	add("name", rawjson.Quote(c.Name), c.Name != "")
	add("path", rawjson.Quote(c.Path), c.Path != "")
	add("change", rawjson.Quote(c.Change), true)
	breaking := "false"
	if c.Breaking {
		breaking = "true"
	}
	add("breaking", json.RawMessage(breaking), true)
	add("old", c.Old, c.Old != nil)
	add("new", c.New, c.New != nil)
	add("message", rawjson.Quote(c.Message), true)
	return o.Raw()
}

// place is where something stands within a definition.
type place string

// in goes to a member. What is no plain name is written as jq would have it.
func (p place) in(keys ...string) place {
	for _, key := range keys {
		switch {
		case !isPlain(key):
			p += place("[" + string(rawjson.Quote(key)) + "]")
		case p == "":
			p = place(key)
		default:
			p += place("." + key)
		}
	}
	return p
}

func isPlain(key string) bool {
	for i, r := range key {
		letter := r == '_' || r == '$' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return key != ""
}

// named spells a name in a message: as it is, or quoted if it could be taken for
// something else.
func named(name string) string { return string(place("").in(name)) }

// show is a value in a message: not all of it if it is long.
func show(raw json.RawMessage) string {
	const most = 60
	s := strings.ToValidUTF8(string(raw[:min(len(raw), utf8.UTFMax*(most+1))]), "\ufffd")
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}
