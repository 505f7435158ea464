package manual

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/internal/schema"
)

// maxExample bounds how deep an example goes into a schema that repeats itself.
const maxExample = 6

// example makes the required arguments of a tool up. ok tells whether they fit
// the schema: what only a pattern or the server knows cannot be made up.
func (r *reader) example(ctx context.Context, input json.RawMessage) (arguments rawjson.Object, ok bool) {
	v := r.look(input)
	arguments = rawjson.Object{}
	for _, p := range v.properties {
		if p.required {
			arguments = append(arguments, rawjson.Member{Key: p.name, Value: r.value(p.name, p.schema, 0)})
		}
	}
	if len(input) == 0 {
		return arguments, true
	}
	return arguments, schema.Validate(ctx, input, arguments.Raw()) == nil
}

// value makes a value of a schema up.
func (r *reader) value(name string, raw json.RawMessage, depth int) json.RawMessage {
	v := r.simple(r.look(raw))
	switch {
	case v.example != nil:
		return v.example
	case v.fallback != nil && string(v.fallback) != "null":
		return v.fallback
	case len(v.choices) > 0:
		return v.choices[0]
	case len(v.types) == 0 && len(v.forms) > 0 && depth < maxExample:
		return r.value(name, v.forms[0], depth+1)
	}
	switch kind := firstType(v.types); kind {
	case "integer", "number":
		return json.RawMessage(strconv.FormatInt(numberFor(v), 10))
	case "boolean":
		return json.RawMessage("true")
	case "null":
		return json.RawMessage("null")
	case "array":
		items := []json.RawMessage{}
		for i := 0; i < len(v.first) && depth < maxExample; i++ {
			items = append(items, r.value(name, v.first[i], depth+1))
		}
		if len(items) > 0 {
			return rawjson.Array(items)
		}
		n, _ := number(v.bounds["minItems"])
		for range min(max(n, 1), 5) {
			if depth < maxExample && v.items != nil {
				items = append(items, r.value(name, v.items, depth+1))
			}
		}
		return rawjson.Array(items)
	case "object":
		object := rawjson.Object{}
		for _, p := range v.properties {
			if p.required && depth < maxExample {
				object = object.Set(p.name, r.value(p.name, p.schema, depth+1))
			}
		}
		return object.Raw()
	}
	return quoted(textFor(name, v))
}

func firstType(types []string) string {
	for _, t := range types {
		if t != "null" {
			return t
		}
	}
	return strings.Join(types, "")
}

// numberFor is a small number within the bounds.
func numberFor(v view) int64 {
	n := int64(1)
	if low, ok := number(v.bounds["minimum"]); ok && low > n {
		n = low
	}
	if low, ok := number(v.bounds["exclusiveMinimum"]); ok && low >= n {
		n = low + 1
	}
	if high, ok := number(v.bounds["maximum"]); ok && high < n {
		n = high
	}
	if high, ok := number(v.bounds["exclusiveMaximum"]); ok && high <= n {
		n = high - 1
	}
	if step, ok := number(v.bounds["multipleOf"]); ok && step > 0 && n%step != 0 {
		n += step - n%step
	}
	return n
}

func textFor(name string, v view) string {
	switch v.format {
	case "date":
		return "2026-01-31"
	case "date-time":
		return "2026-01-31T12:00:00Z"
	case "time":
		return "12:00:00Z"
	case "email":
		return "ada@example.com"
	case "uri", "url", "iri":
		return "https://example.com/"
	case "uuid":
		return "123e4567-e89b-12d3-a456-426614174000"
	case "ipv4":
		return "192.0.2.1"
	case "hostname":
		return "example.com"
	}
	text := "some " + name
	if n, ok := number(v.bounds["minLength"]); ok && n < 1000 {
		for int64(len([]rune(text))) < n {
			text += " text"
		}
	}
	if n, ok := number(v.bounds["maxLength"]); ok && n >= 0 && int64(len([]rune(text))) > n {
		text = string([]rune(text)[:n])
	}
	return text
}

// words are the arguments of an example on a command line.
func (r *reader) words(input json.RawMessage, arguments rawjson.Object) []string {
	schemas := map[string]json.RawMessage{}
	for _, p := range r.look(input).properties {
		schemas[p.name] = p.schema
	}
	var all []string
	for _, m := range arguments {
		kinds := r.simple(r.look(schemas[m.Key])).types
		text, isText := rawjson.Unquote(m.Value)
		switch {
		case isText && strings.HasPrefix(text, "@"):
			all = append(all, Key(m.Key)+`=\`+text)
		case isText && (slices.Contains(kinds, "string") || !json.Valid([]byte(text))):
			all = append(all, Key(m.Key)+"="+text)
		case isText:
			all = append(all, Key(m.Key)+":="+string(m.Value))
		case m.Value[0] == '{' || m.Value[0] == '[' || slices.Contains(kinds, "string"):
			all = append(all, Key(m.Key)+":="+string(m.Value))
		default:
			all = append(all, Key(m.Key)+"="+string(m.Value))
		}
	}
	return all
}
