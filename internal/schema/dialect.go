package schema

import (
	"fmt"
	"strings"
)

// dialect is a draft of JSON Schema, by its number or year.
type dialect int

const (
	draft4  dialect = 4
	draft6  dialect = 6
	draft7  dialect = 7
	draft19 dialect = 2019
	draft20 dialect = 2020
)

// defaultLocation is the base of references where the schema names none.
const defaultLocation = "mcpq:///schema"

// dialectOf reads the $schema of a schema; one that has none is of the dialect
// of the schema around it.
func dialectOf(v *value, around dialect) (dialect, error) {
	named := v.get("$schema")
	if named == nil {
		return around, nil
	}
	if named.kind != stringKind {
		return 0, &UnsupportedError{Reason: "its $schema is not a string"}
	}
	name := strings.TrimSuffix(named.text, "#")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "http://"), "https://")
	switch name {
	case "json-schema.org/schema", "json-schema.org/draft/2020-12/schema":
		return draft20, nil
	case "json-schema.org/draft/2019-09/schema":
		return draft19, nil
	case "json-schema.org/draft-07/schema":
		return draft7, nil
	case "json-schema.org/draft-06/schema":
		return draft6, nil
	case "json-schema.org/draft-04/schema":
		return draft4, nil
	}
	return 0, &UnsupportedError{Reason: fmt.Sprintf("its dialect %s is not known", show(named.text))}
}

// refOnly says whether v is a reference and nothing else: up to draft-07 what
// stands beside $ref means nothing.
func (d dialect) refOnly(v *value) bool { return d <= draft7 && v.get("$ref") != nil }

// id gives the identifier of a schema, and up to draft-07 the anchor, which
// is the fragment of that.
func (d dialect) id(v *value) (id, anchor string) {
	keyword := "$id"
	if d == draft4 {
		keyword = "id"
	}
	named := v.get(keyword)
	if named == nil || named.kind != stringKind || d.refOnly(v) {
		return "", ""
	}
	id, anchor, _ = strings.Cut(named.text, "#")
	if d >= draft19 || strings.HasPrefix(anchor, "/") {
		anchor = ""
	}
	return id, anchor
}
