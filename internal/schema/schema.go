// Package schema checks JSON against the JSON Schemas that servers send:
// arguments against an inputSchema, results against an outputSchema.
//
// The schema is a stranger's. Nothing it refers to outside of itself is ever
// loaded, from the network or from files; its size, its depth and the time it
// may take are bounded; and one that cannot be used is an [UnsupportedError],
// which a caller reports and goes on from. Only a schema that was understood
// gives a [ViolationError].
//
// A schema without $schema is of dialect 2020-12; draft-04, -06, -07 and
// 2019-09 are known too. format is an annotation in all of them. A pattern
// written for another regular expression language than Go's checks nothing.
package schema

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// timeLimit is for one compilation or one validation. What a real schema needs
// is measured in milliseconds; only one built to take for ever meets it.
const timeLimit = time.Second

// Schema is a schema that was understood. It may be used by many goroutines.
type Schema struct {
	compiled *jsonschema.Schema
	guard    *guard
	ignored  []string
	chain    int // bounds the schemas that apply to one value, each by way of the last
}

// Compile reads a schema. It fails with an [UnsupportedError], or with the
// cause of ctx when that ends first.
func Compile(ctx context.Context, raw json.RawMessage) (*Schema, error) {
	doc, shape, err := read(raw)
	if err != nil {
		return nil, err
	}
	g := newGuard()
	s, err := bounded(ctx, g, func() (*Schema, error) { return compile(doc, g) })
	if err != nil {
		return nil, err
	}
	s.chain = shape.chain()
	return s, nil
}

// Ignored gives the regular expressions of the schema that cannot be read
// here, so that no text is checked against them; worth a warning.
func (s *Schema) Ignored() []string { return s.ignored }

// Validate checks arguments: what is missing at the top is called an argument.
// It fails with a [ViolationError], with an [UnsupportedError] when no answer
// can be had, or with the cause of ctx when that ends first.
func (s *Schema) Validate(ctx context.Context, instance json.RawMessage) error {
	return s.validate(ctx, instance, "argument")
}

// ValidateResult is like Validate for what a server sent, where members are
// called properties.
func (s *Schema) ValidateResult(ctx context.Context, instance json.RawMessage) error {
	return s.validate(ctx, instance, "property")
}

func (s *Schema) validate(ctx context.Context, instance json.RawMessage, noun string) error {
	value, err := s.readInstance(instance)
	if err != nil {
		return err
	}
	_, err = bounded(ctx, s.guard, func() (struct{}, error) { return struct{}{}, s.compiled.Validate(value) })
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		return violation(invalid, value, noun)
	}
	return err
}

// Validate compiles schema and checks instance, the arguments of a call,
// against it; see [Compile] and [Schema.Validate].
func Validate(ctx context.Context, schema, instance json.RawMessage) error {
	s, err := Compile(ctx, schema)
	if err != nil {
		return err
	}
	return s.Validate(ctx, instance)
}

// ValidateResult is Validate for what a server sent.
func ValidateResult(ctx context.Context, schema, instance json.RawMessage) error {
	s, err := Compile(ctx, schema)
	if err != nil {
		return err
	}
	return s.ValidateResult(ctx, instance)
}

// UnsupportedError says why nothing can be said about a value: the schema is
// of an unknown dialect, broken, not whole, or too large or costly to use.
type UnsupportedError struct {
	Reason string
	Err    error
}

func (e *UnsupportedError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("schema cannot be used: %s: %s", e.Reason, oneLine(e.Err.Error()))
	}
	return "schema cannot be used: " + e.Reason
}

// Unwrap gives the cause.
func (e *UnsupportedError) Unwrap() error { return e.Err }
