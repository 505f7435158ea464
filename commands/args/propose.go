package args

import (
	"encoding/json"
	"slices"
	"strings"
)

// Key is the beginning of a word that gives an argument of a tool, up to the =.
type Key struct {
	Text        string
	Name        string // of the argument
	Description string
	Repeats     bool // an item of an array: there may be more
}

// maxKeys bounds what is proposed of a server's schema.
const maxKeys = 1000

// Keys are the words that the arguments of a tool can begin with. Arrays are filled item by item, and objects whose members are
// known member by member.
func Keys(input json.RawMessage) []Key {
	s := newSchema(input)
	var keys []Key
	for _, name := range s.properties(s.root) {
		if len(keys) > maxKeys {
			break
		}
		place := s.property(s.root, name)
		key := Key{Name: name, Description: s.text(place, "description")}
		if key.Description == "" {
			key.Description = s.text(place, "title")
		}
		escaped := escapeKey(name)
		switch s.container(place) {
		case "array":
			key.Text, key.Repeats = escaped+"[]=", true
		case "object":
			members := s.properties(place)
			for _, member := range members {
				inner := key
				inner.Text = escaped + "[" + escapeKey(member) + "]="
				if d := s.text(s.property(place, member), "description"); d != "" {
					inner.Description = d
				}
				keys = append(keys, inner)
			}
			if len(members) > 0 {
				continue
			}
			key.Text = escaped + ":="
		default:
			key.Text = escaped + "="
		}
		keys = append(keys, key)
	}
	return keys
}

// Value is what is known of the value that a word is about to give.
type Value struct {
	Key    string   // the word up to the value: k=, k:=, k=@
	Values []string // that the schema names; none if it could be anything
	File   bool     // the value is the name of a file
}

// Values tells what the word can go on with; false for one that has no = yet.
func Values(input json.RawMessage, word string) (Value, bool) {
	key, value, isJSON, err := splitToken(word)
	if err != nil {
		return Value{}, false
	}
	v := Value{Key: word[:len(word)-len(value)]}
	if strings.HasPrefix(value, "@") {
		v.Key, v.File = v.Key+"@", true
		return v, true
	}
	path, err := parsePath(key)
	if err != nil {
		return v, true
	}
	s := newSchema(input)
	place := s.root
	for _, st := range path {
		if st.push || st.digits {
			place = s.item(place, 0)
		} else {
			place = s.property(place, st.name)
		}
	}
	for _, m := range s.members(place) {
		text, isText := m.(string)
		if isJSON || !isText {
			var b strings.Builder
			enc := json.NewEncoder(&b)
			enc.SetEscapeHTML(false)
			if enc.Encode(m) != nil {
				continue
			}
			text = strings.TrimSuffix(b.String(), "\n")
		} else if strings.HasPrefix(text, "@") || strings.HasPrefix(text, `\@`) {
			text = `\` + text
		}
		if !slices.Contains(v.Values, text) {
			v.Values = append(v.Values, text)
		}
	}
	return v, true
}

// members are the values that a place is known to take: all of them, or those
// that the schema gives as examples.
func (s *schema) members(place any) []any {
	s.steps = maxSteps
	var all []any
	for _, sh := range s.shapes(place, 0) {
		switch {
		case sh.closed:
			all = append(all, sh.members...)
		case sh.types == booleanType, sh.types == booleanType|nullType:
			all = append(all, true, false)
		}
	}
	if obj, ok := place.(map[string]any); ok && len(all) == 0 {
		if value, ok := obj["default"]; ok {
			all = append(all, value)
		}
		all = append(all, list(obj, "examples")...)
	}
	return all
}

// properties are the names of the members that a place speaks of, in the order
// of the alphabet: the schema's own order is not kept.
func (s *schema) properties(place any) []string {
	s.steps = maxSteps
	var names []string
	s.every(place, 0, func(obj map[string]any) {
		properties, _ := obj["properties"].(map[string]any)
		for name := range properties {
			names = append(names, name)
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// text is the first string under a keyword.
func (s *schema) text(place any, keyword string) string {
	s.steps = maxSteps
	found := ""
	s.every(place, 0, func(obj map[string]any) {
		if text, ok := obj[keyword].(string); ok && found == "" {
			found = text
		}
	})
	return found
}

// every goes through a schema, those it refers to and those it is combined from.
func (s *schema) every(place any, depth int, look func(map[string]any)) {
	obj, ok := place.(map[string]any)
	if !ok || !s.step(depth) {
		return
	}
	look(obj)
	for _, target := range s.targets(obj) {
		s.every(target, depth+1, look)
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, sub := range list(obj, keyword) {
			s.every(sub, depth+1, look)
		}
	}
}

// escapeKey makes a name literal in a key.
func escapeKey(name string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "=", `\=`, ":", `\:`).Replace(name)
}
