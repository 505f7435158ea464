package args

import (
	"net/url"
	"strconv"
	"strings"
)

// targets gives what the references of a schema object lead to.
func (s *schema) targets(obj map[string]any) []any {
	var found []any
	for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if ref, ok := obj[keyword].(string); ok {
			if target := s.lookUp(ref); target != nil {
				found = append(found, target)
			}
		}
	}
	return found
}

// lookUp follows a reference within the document; there are no others.
func (s *schema) lookUp(ref string) any {
	base, fragment, _ := strings.Cut(ref, "#")
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return nil
	}
	named := fragment != "" && fragment[0] != '/'
	if s.anchors == nil && (named || base != "") {
		s.anchors, s.ids = map[string]any{}, map[string]any{}
		s.collect(s.root, 0)
	}
	if named {
		return s.anchors[fragment]
	}
	at := s.root
	if base != "" {
		at = s.ids[s.absolute(base)]
	}
	for _, name := range strings.Split(fragment, "/")[1:] {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		switch v := at.(type) {
		case map[string]any:
			at = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}

// absolute resolves an identifier against that of the document.
func (s *schema) absolute(id string) string {
	root, _ := s.root.(map[string]any)
	around, _ := root["$id"].(string)
	if !s.spend(len(around) + len(id)) {
		return id
	}
	base, err := url.Parse(around)
	if err != nil {
		return id
	}
	u, err := base.Parse(id)
	if err != nil {
		return id
	}
	return u.String()
}

// collect enters the names and identifiers that references can use.
func (s *schema) collect(v any, depth int) {
	if depth > maxNested {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
			if name, ok := v[keyword].(string); ok && s.anchors[name] == nil {
				s.anchors[name] = v
			}
		}
		for _, keyword := range []string{"$id", "id"} { // draft-07 and older
			id, ok := v[keyword].(string)
			if !ok {
				continue
			}
			names, name := s.ids, ""
			if anchor, isAnchor := strings.CutPrefix(id, "#"); isAnchor {
				names, name = s.anchors, anchor
			} else {
				name = s.absolute(id)
			}
			if names[name] == nil {
				names[name] = v
			}
		}
		for _, sub := range v {
			s.collect(sub, depth+1)
		}
	case []any:
		for _, sub := range v {
			s.collect(sub, depth+1)
		}
	}
}
