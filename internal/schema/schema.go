// Package schema checks JSON against the JSON Schemas that servers send:
// arguments against an inputSchema, results against an outputSchema.
//
// The schema is a stranger's. Nothing it refers to outside of itself is ever
// loaded, from the network or from files; its size, its depth and the work it
// may cause are bounded; and one that cannot be used is an [UnsupportedError],
// which a caller reports and goes on from. Only a schema that was understood
// gives a [ViolationError].
//
// A schema without $schema is of dialect 2020-12; draft-04, -06, -07 and
// 2019-09 are known too. format is an annotation in all of them. A pattern
// written for another regular expression language than Go's checks nothing.
//
// A document is read into a tree (value), of which a builder makes nodes, the
// schemas, in one walk; a run applies them to the tree of another value. All of
// it counts its steps against a budget. Nothing is prepared when the process
// starts: most commands check no schema.
package schema

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Schema is a schema that was understood. It may be used by many goroutines.
type Schema struct {
	root     *node
	nodes    int // how many there are
	patterns []*pattern
}

// Compile reads a schema. It fails with an [UnsupportedError], or with the
// cause of ctx when that ends first. What the schema refers to, and its regular
// expressions, matter only once a value gets there.
func Compile(ctx context.Context, raw json.RawMessage) (*Schema, error) {
	b := &builder{budget: newBudget(ctx, baseSteps), nodes: map[*value]*node{}, resources: map[string]*resource{}}
	if !b.look() {
		return nil, b.failure(ctx)
	}
	doc, err := read(raw, limits{"it", maxSchemaBytes, maxSchemaValues, maxSchemaDepth}, &b.budget)
	var syntax *notJSON
	switch {
	case b.err != nil:
		return nil, b.failure(ctx)
	case errors.As(err, &syntax):
		return nil, &UnsupportedError{Reason: "it is not JSON", Err: syntax.err}
	case err != nil:
		return nil, err
	}
	root, err := b.document(doc)
	if b.err != nil {
		return nil, b.failure(ctx)
	}
	return &Schema{root, len(b.nodes), b.patterns}, err
}

// Ignored gives the regular expressions of the schema that cannot be read
// here, so that no text is checked against them; worth a warning.
func (s *Schema) Ignored() []string {
	var ignored []string
	for _, p := range s.patterns {
		if readable, _ := p.compile(); !readable {
			ignored = append(ignored, p.source)
		}
	}
	slices.Sort(ignored)
	return slices.Compact(ignored)
}

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
	r := &run{budget: newBudget(ctx, baseSteps+len(instance)), nodes: s.nodes}
	if !r.look() {
		return r.failure(ctx)
	}
	v, err := read(instance, limits{"the value", maxInstanceBytes, maxInstanceValues, maxInstanceDepth}, &r.budget)
	var syntax *notJSON
	switch {
	case r.err != nil:
		return r.failure(ctx)
	case errors.As(err, &syntax):
		return fmt.Errorf("value to check is not JSON: %w", syntax.err)
	case err != nil:
		return err
	}
	switch ok := r.eval(s.root, v, nil); {
	case r.err != nil:
		return r.failure(ctx)
	case ok:
		return nil
	}
	return violation(r.failures, noun)
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
