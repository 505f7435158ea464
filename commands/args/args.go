// Package args turns the words of a command line into the arguments object of
// a call. It knows the argument grammar and how a tool's JSON Schema decides
// what a bare word means; it does not check the result against that schema.
//
// # Forms
//
//	k=TEXT      TEXT, made the type the schema asks for; a string if it asks for none
//	k:=JSON     JSON, taken as it is written
//	k=@FILE     the text of FILE, as if it were TEXT (@- is standard input)
//	k:=@FILE    the JSON in FILE
//	k[]=…       appends to an array
//	k[0]=…      sets an item of an array (the next free index appends)
//	k[name]=…   sets a member of an object; brackets nest: a[0][b]=…
//
// The first = that is not escaped ends the key, and := is JSON when the colon
// stands right before it. In a key a backslash makes [ ] = : and \ literal, so
// a\[b]=1 sets "a[b]" and a\:=1 sets "a:". A TEXT that begins with a literal @
// is written \@ (and one that begins with \@ is written \\@).
//
// # Types
//
// A text stays a string wherever the schema allows a string, so zip=01234 and
// id=null lose nothing; an enum or const decides first. Otherwise the text has
// to be JSON of an allowed type: 5, -7, true, null, [1,2], {"a":1}. Numbers
// keep every digit as they were written. Schema defaults are not filled in.
package args

import (
	"context"
	"encoding/json"
	"strings"

	"mcpq/internal/rawjson"
)

// maxDepth bounds the brackets of one key; deeper data is better given as JSON.
const maxDepth = 100

// Build makes the arguments object of a call: first base (the value of --args:
// JSON text, @FILE or -; empty for none), then every token in order, the last
// one winning. A bare value is made the type that schema, the tool's
// inputSchema, asks for. A mistake of the user is an *[Error].
func Build(ctx context.Context, base string, tokens []string, schema json.RawMessage, src Source) (json.RawMessage, error) {
	in := &reader{src: src}
	root, err := parseBase(ctx, base, in)
	if err != nil {
		return nil, err
	}
	types := newSchema(schema)
	for _, word := range tokens {
		tok, err := parseToken(word)
		if err != nil {
			return nil, err
		}
		if err := tok.apply(ctx, root, types, in); err != nil {
			return nil, err
		}
	}
	return root.encode()
}

// BuildStrings makes an object whose values are all strings, for prompts and
// resource templates: only k=TEXT and k=@FILE are forms here, and brackets in
// a key are part of its name. A mistake of the user is an *[Error].
func BuildStrings(ctx context.Context, tokens []string, src Source) (json.RawMessage, error) {
	in := &reader{src: src}
	root := &node{kind: objectNode}
	for _, word := range tokens {
		key, value, isJSON, err := splitToken(word)
		if err != nil {
			return nil, err
		}
		name := unescapeKey(key)
		if isJSON {
			return nil, &Error{Argument: name, Reason: "expected a string, got JSON (:=); write " + key + "=VALUE"}
		}
		text, err := in.text(ctx, name, value)
		if err != nil {
			return nil, err
		}
		root.set(name, leaf(rawjson.Quote(text.value)))
	}
	return root.encode()
}

func parseBase(ctx context.Context, base string, in *reader) (*node, error) {
	if base == "" {
		return &node{kind: objectNode}, nil
	}
	raw := []byte(base)
	if base == "-" || strings.HasPrefix(base, "@") {
		var err error
		if raw, err = in.file(ctx, baseFlag, strings.TrimPrefix(base, "@")); err != nil {
			return nil, err
		}
	}
	value, err := parseJSON(baseFlag, raw)
	if err != nil {
		if first := strings.TrimSpace(base); first != "" && !strings.ContainsAny(first[:1], "@-{[\"") {
			return nil, &Error{Argument: baseFlag, Reason: "expected a JSON object, @FILE or -, got " + show(base)}
		}
		return nil, err
	}
	root := leaf(value)
	if root.jsonKind() != "object" {
		return nil, &Error{Argument: baseFlag, Reason: "expected a JSON object, got " + article(root.jsonKind())}
	}
	if err := root.open(); err != nil {
		return nil, &Error{Argument: baseFlag, Reason: "cannot be taken apart", Err: err}
	}
	return root, nil
}

// apply sets what the token says in root.
func (t *token) apply(ctx context.Context, root *node, types *schema, in *reader) error {
	slot := slot{parent: root, key: t.path[0].name}
	where := types.property(types.root, t.path[0].name)
	for _, step := range t.path[1:] {
		at, err := slot.container(t, step, types.container(where))
		if err != nil {
			return err
		}
		if slot, err = at.at(t, step); err != nil {
			return err
		}
		if slot.parent.kind == arrayNode {
			where = types.item(where, slot.index)
		} else {
			where = types.property(where, slot.key)
		}
	}
	value, err := t.resolve(ctx, types, where, in)
	if err != nil {
		return err
	}
	slot.put(leaf(value))
	return nil
}

// resolve gives the JSON of the token's value.
func (t *token) resolve(ctx context.Context, types *schema, where any, in *reader) (json.RawMessage, error) {
	if !t.json {
		text, err := in.text(ctx, t.name, t.value)
		if err != nil {
			return nil, err
		}
		return types.coerce(t.name, text, where)
	}
	raw := []byte(t.value)
	if name, ok := strings.CutPrefix(t.value, "@"); ok {
		var err error
		if raw, err = in.file(ctx, t.name, name); err != nil {
			return nil, err
		}
	}
	return parseJSON(t.name, raw)
}
