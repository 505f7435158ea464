package form

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcpq/internal/rawjson"
	"mcpq/internal/schema"
)

// ForArguments makes a form of those properties of a tool's input schema that
// are named. Unlike an elicitation, an argument may be of any type: what is not
// text, a number, yes or no, or a choice is typed as JSON.
func ForArguments(ctx context.Context, input json.RawMessage, names []string) (*Form, error) {
	root, err := rawjson.ParseObject(input)
	if err != nil {
		return nil, &SchemaError{"inputSchema is not an object"}
	}
	raw, _ := root.Get("properties")
	properties, err := rawjson.ParseObject(raw)
	if err != nil && raw != nil {
		return nil, &SchemaError{"properties is not an object"}
	}
	if len(names) > maxFields {
		return nil, &SchemaError{fmt.Sprintf("%d arguments are missing; %d are the most that are asked for", len(names), maxFields)}
	}
	f := &Form{argument: true}
	// One argument is checked without the others.
	if f.schema, err = schema.Compile(ctx, root.Delete("required").Raw()); err != nil {
		return nil, err
	}
	plain := &simplifier{root: input, left: maxLookedAt}
	for _, name := range names {
		definition, ok := properties.Get(name)
		if !ok {
			definition = json.RawMessage("{}")
		}
		definition, nullable := plain.simplify(definition)
		field, err := parseField(name, definition)
		var unusable *SchemaError
		if errors.As(err, &unusable) {
			field = &Field{Name: name, Title: name, Kind: JSON}
			if object, err := rawjson.ParseObject(definition); err == nil {
				field.describe(object)
			}
		} else if err != nil {
			return nil, err
		}
		field.Required, field.nullable = true, nullable && field.Kind != Text && field.Kind != JSON
		f.Fields = append(f.Fields, field)
	}
	return f, nil
}

// describe takes over what a schema says besides the type.
func (f *Field) describe(object rawjson.Object) {
	get := func(key string) string {
		raw, _ := object.Get(key)
		s, _ := rawjson.Unquote(raw)
		return s
	}
	if title := get("title"); title != "" {
		f.Title = title
	}
	f.Description = get("description")
	f.Default, _ = object.Get("default")
	if kind := get("type"); kind != "" {
		f.typeName = kind
	}
	raw, _ := object.Get("required")
	_ = json.Unmarshal(raw, &f.members) // anything else requires nothing
}

// readJSON takes what was typed for a field of any type: JSON, and what is none
// is a text where the schema allows one.
func (f *Form) readJSON(ctx context.Context, field *Field, text string) (json.RawMessage, error) {
	value, err := rawjson.Compact([]byte(text))
	if err == nil && f.fits(ctx, field, value) {
		return value, nil
	}
	if asText := rawjson.Quote(text); f.fits(ctx, field, asText) {
		return asText, nil
	}
	if err != nil {
		return nil, errors.New("type JSON, such as [1,2] or {\"a\":\"b\"}")
	}
	return value, nil // checkField says what is wrong with it
}

func (f *Form) fits(ctx context.Context, field *Field, value json.RawMessage) bool {
	return f.checkField(ctx, field, value) == nil
}

// Missing are the names of required arguments that are not given.
func Missing(input, arguments json.RawMessage) []string {
	root, err := rawjson.ParseObject(input)
	if err != nil {
		return nil
	}
	given, err := rawjson.ParseObject(arguments)
	if err != nil {
		return nil
	}
	var required, missing []string
	raw, _ := root.Get("required")
	_ = json.Unmarshal(raw, &required) // anything else requires nothing
	has := make(map[string]bool, len(given))
	for _, m := range given {
		has[m.Key] = true
	}
	for _, name := range required {
		if !has[name] {
			has[name] = true // it may be named twice
			missing = append(missing, name)
		}
	}
	return missing
}
