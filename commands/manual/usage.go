package manual

import (
	"encoding/json"
	"slices"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/output"
)

// ToolUsage is the usage line of a tool, without the server: what is required
// first, the rest in brackets.
func ToolUsage(name string, input json.RawMessage) string {
	r := &reader{root: input}
	return "mcpq call " + word(name) + r.usage(input)
}

func (r *reader) usage(input json.RawMessage) string {
	var b strings.Builder
	v := r.look(input)
	slices.SortStableFunc(v.properties, func(a, b property) int {
		switch {
		case a.required == b.required:
			return 0
		case a.required:
			return -1
		}
		return 1
	})
	const most = 30 // more are told below it
	for i, p := range v.properties {
		if i == most {
			b.WriteString(" …")
			break
		}
		form := r.form(p)
		if !p.required {
			form = "[" + form + "]"
		}
		b.WriteString(" " + form)
	}
	return b.String()
}

// form is how an argument is written on a command line.
func (r *reader) form(p property) string {
	v := r.simple(r.look(p.schema))
	key := word(Key(p.name))
	if n := len(v.choices); n > 0 {
		var all []string
		total := 0
		for _, c := range v.choices {
			all = append(all, shown(c))
			total += len(all[len(all)-1])
		}
		if n <= 6 && total <= 40 && !strings.ContainsAny(strings.Join(all, ""), " |") {
			return key + "=" + strings.Join(all, "|")
		}
		return key + "=CHOICE"
	}
	kind := ""
	for _, t := range v.types {
		if t != "null" {
			kind = t
		}
	}
	switch {
	case slices.Contains(v.types, "string"):
		return key + "=TEXT"
	case kind == "integer", kind == "number":
		return key + "=" + strings.ToUpper(kind)
	case kind == "boolean":
		return key + "=true|false"
	case len(v.types) > 0 && kind == "":
		return key + "=null"
	case kind == "array" && len(v.first) > 0:
		return r.tuple(key, v)
	case kind == "array":
		if item := r.simple(r.look(v.items)); v.items != nil && len(item.types) == 1 && item.types[0] != "object" && item.types[0] != "array" {
			return key + "[]=" + scalarName(item) + "…"
		}
		return key + ":=JSON"
	case kind == "object" && len(v.properties) > 0 && !nested(r, v):
		var b strings.Builder
		for i, q := range v.properties {
			if i > 0 {
				b.WriteString(" ")
			}
			if i == 3 {
				b.WriteString("…")
				break
			}
			b.WriteString(key + "[" + word(Key(q.name)) + "]=" + scalarName(r.simple(r.look(q.schema))))
		}
		return b.String()
	case kind == "object" && len(v.properties) == 0 && len(v.patterns) == 0 && v.others != nil:
		if other := r.simple(r.look(v.others)); isSingle(other) {
			return key + "[NAME]=" + scalarName(other) + "…"
		}
		return key + ":=JSON"
	case kind == "object":
		return key + ":=JSON"
	}
	return key + "=VALUE"
}

// tuple is how a list is written of which every item is of its own kind.
func (r *reader) tuple(key string, v view) string {
	const most = 3
	words := make([]string, len(v.first))
	for i, raw := range v.first {
		item := r.simple(r.look(raw))
		if !isSingle(item) || i == most {
			return key + ":=JSON"
		}
		words[i] = key + "[]=" + scalarName(item)
	}
	return strings.Join(words, " ")
}

// isSingle tells whether a value is neither a list nor an object.
func isSingle(v view) bool {
	return len(v.choices) > 0 || !slices.Contains(v.types, "object") && !slices.Contains(v.types, "array")
}

// nested tells whether an object holds more than single values.
func nested(r *reader, v view) bool {
	return slices.ContainsFunc(v.properties, func(p property) bool {
		return !isSingle(r.simple(r.look(p.schema)))
	})
}

func scalarName(v view) string {
	switch {
	case len(v.choices) > 0:
		return "CHOICE"
	case slices.Contains(v.types, "string"):
		return "TEXT"
	case slices.Contains(v.types, "integer"):
		return "INTEGER"
	case slices.Contains(v.types, "number"):
		return "NUMBER"
	case slices.Contains(v.types, "boolean"):
		return "true|false"
	case slices.Contains(v.types, "null"):
		return "null"
	}
	return "VALUE"
}

// Key escapes what has a meaning in the key of an argument. A colon has one only
// before the =.
func Key(name string) string {
	key := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "=", `\=`).Replace(name)
	if rest, ok := strings.CutSuffix(key, ":"); ok {
		return rest + `\:`
	}
	return key
}

// word quotes a word for a shell where that is needed, and makes it safe.
func word(s string) string {
	safe := output.SafeLine(s)
	if safe != "" && !strings.HasPrefix(safe, "~") && !strings.ContainsFunc(safe, func(r rune) bool {
		return strings.ContainsRune(" \t\n\\'\"`$&|;<>(){}[]*?#!^", r)
	}) {
		return safe
	}
	return "'" + strings.ReplaceAll(safe, "'", `'\''`) + "'"
}

// number reads a bound that fits a machine's number, for examples.
func number(raw json.RawMessage) (n int64, ok bool) {
	if !isNumber(raw) {
		return 0, false
	}
	err := json.Unmarshal(raw, &n)
	return n, err == nil
}

// quoted is a text as JSON.
func quoted(s string) json.RawMessage { return rawjson.Quote(s) }
