// Package form asks a person for what the requestedSchema of an elicitation
// describes, and checks answers against it, whoever gave them.
//
// A schema is a flat object of strings, numbers, booleans and choices, in the
// words of either generation: 2025-06-18 knows enum with enumNames, 2025-11-25
// and later also oneOf with titles, and arrays of choices. Texts of a server
// are shown only after [output.Safe] has been over them.
package form

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"mcpq/internal/rawjson"
	"mcpq/internal/schema"
)

// Form is what a server asks for.
type Form struct {
	Fields []*Field

	schema   *schema.Schema
	argument bool // the fields are arguments of a tool
}

// SchemaError is a requestedSchema that no form can be made of.
type SchemaError struct{ Reason string }

func (e *SchemaError) Error() string { return "the server's form cannot be used: " + e.Reason }

// AnswerError is an answer that does not fit the form.
type AnswerError struct {
	Field  string // "" when it is about all of them
	Reason string
}

func (e *AnswerError) Error() string { return e.Reason }

// maxFields bounds how much a server may ask for at once.
const maxFields = 200

// Parse reads a requestedSchema.
func Parse(ctx context.Context, requested json.RawMessage) (*Form, error) {
	root, err := rawjson.ParseObject(requested)
	if err != nil {
		return nil, &SchemaError{"requestedSchema is not an object"}
	}
	if kind, ok := root.Get("type"); ok && string(kind) != `"object"` {
		return nil, &SchemaError{"requestedSchema is not of type object"}
	}
	f := &Form{}
	if f.schema, err = schema.Compile(ctx, requested); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, &SchemaError{err.Error()}
	}
	var required []string
	if raw, ok := root.Get("required"); ok {
		if err := json.Unmarshal(raw, &required); err != nil {
			return nil, &SchemaError{"required is not a list of names"}
		}
	}
	var properties rawjson.Object
	if raw, ok := root.Get("properties"); ok {
		if properties, err = rawjson.ParseObject(raw); err != nil {
			return nil, &SchemaError{"properties is not an object"}
		}
	}
	if len(properties) > maxFields {
		return nil, &SchemaError{fmt.Sprintf("it has %d fields; %d are the most", len(properties), maxFields)}
	}
	for _, p := range properties {
		field, err := parseField(p.Key, p.Value)
		if err != nil {
			return nil, err
		}
		field.Required = slices.Contains(required, p.Key)
		f.Fields = append(f.Fields, field)
	}
	return f, nil
}

// Defaults are the values that the form comes with, and over them those given.
func (f *Form) Defaults(given rawjson.Object) rawjson.Object {
	values := rawjson.Object{}
	for _, field := range f.Fields {
		if field.Default != nil {
			values = values.Set(field.Name, field.Default)
		}
	}
	for _, m := range given {
		values = values.Set(m.Key, m.Value)
	}
	return values
}

// Check holds an answer against the form. It fails with an *AnswerError, or
// with the cause of ctx.
func (f *Form) Check(ctx context.Context, content json.RawMessage) error {
	values, err := rawjson.ParseObject(content)
	if err != nil {
		return &AnswerError{Reason: "the content is not an object"}
	}
	for _, m := range values {
		if !isFlat(m.Value) {
			return &AnswerError{m.Key, fmt.Sprintf("%s: only strings, numbers, booleans and lists of strings can be answered", m.Key)}
		}
	}
	if err := f.CheckNames(values); err != nil {
		return err
	}
	err = f.schema.ValidateResult(ctx, content)
	var unfit *schema.ViolationError
	switch {
	case errors.As(err, &unfit):
		return &AnswerError{Reason: unfit.Error()}
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return &AnswerError{Reason: err.Error()}
	}
	for _, field := range f.Fields {
		if value, ok := values.Get(field.Name); ok {
			if err := field.checkFormat(value); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckNames fails with an *AnswerError when there are values that the form has
// no field for: a server is told nothing that it did not ask for.
func (f *Form) CheckNames(values rawjson.Object) error {
	for _, m := range values {
		if !slices.ContainsFunc(f.Fields, func(field *Field) bool { return field.Name == m.Key }) {
			return &AnswerError{m.Key, fmt.Sprintf("the form has no field %q", m.Key)}
		}
	}
	return nil
}

// checkField holds one value of an answer against its field.
func (f *Form) checkField(ctx context.Context, field *Field, value json.RawMessage) error {
	err := f.schema.ValidateResult(ctx, rawjson.Object{{Key: field.Name, Value: value}}.Raw())
	var unfit *schema.ViolationError
	switch {
	case errors.As(err, &unfit):
		for _, v := range unfit.Violations {
			if field.at(v.Path) {
				return &AnswerError{field.Name, field.reason(v)}
			}
		}
	case err != nil:
		return err
	}
	return field.checkFormat(value)
}

// isFlat reports whether a value is of the kinds that an answer may have.
func isFlat(value json.RawMessage) bool {
	switch value[0] {
	case '{', 'n':
		return false
	case '[':
		items, err := rawjson.Elements(value)
		return err == nil && !slices.ContainsFunc(items, func(item json.RawMessage) bool { return item[0] != '"' })
	}
	return true
}
