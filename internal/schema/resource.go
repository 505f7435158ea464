package schema

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// resource is a schema with an identifier of its own, or the whole document.
// References are relative to it, anchors are names within it.
type resource struct {
	dialect   dialect
	base      *url.URL
	doc       *value
	root      *node
	anchors   map[string]*node
	dynamic   map[string]*node // anchors that a schema further out can replace
	recursive bool             // the same for the root, in 2019-09
}

// reference is a $ref or one of its kin.
type reference struct {
	text   string
	from   *resource
	target *node
	anchor string // the fragment, if it is a name
	err    error  // met only if a value gets here
}

var errOutside = errors.New("nothing outside of a schema is loaded")

// enter gives the resource that v belongs to, which v itself may begin.
func (b *builder) enter(v *value, n *node, around *resource) *resource {
	d, err := dialectOf(v, around.dialect)
	if err != nil {
		d = around.dialect
	}
	id, _ := d.id(v)
	switch {
	case v == around.doc: // the document: made beforehand, renamed here
	case id == "":
		return around
	}
	if err != nil {
		b.stop(err)
	}
	r := &resource{dialect: d, doc: v, root: n, base: around.base}
	if id != "" {
		named, err := url.Parse(id)
		if err != nil {
			b.bad("the identifier %s is not a URI", show(id))
			return around
		}
		r.base = around.base.ResolveReference(named)
	}
	name := r.base.String()
	b.spend(len(name)) // or a long base and many identifiers would fill the memory
	if other := b.resources[name]; other != nil && other.doc != v {
		b.bad("the identifier %s is there twice", show(name))
	}
	b.resources[name] = r
	return r
}

// anchors enters the names of a schema.
func (b *builder) anchors(v *value, n *node) {
	r := n.resource
	if _, anchor := r.dialect.id(v); anchor != "" {
		b.anchor(&r.anchors, anchor, n)
	}
	if r.dialect >= draft19 {
		if name := b.member(v, "$anchor", stringKind); name != nil {
			b.anchor(&r.anchors, name.text, n)
		}
	}
	switch r.dialect {
	case draft19:
		flag := b.member(v, "$recursiveAnchor", booleanKind)
		r.recursive = r.recursive || flag != nil && flag.text == "true" && r.root == n
	case draft20:
		if name := b.member(v, "$dynamicAnchor", stringKind); name != nil {
			b.anchor(&r.anchors, name.text, n)
			b.anchor(&r.dynamic, name.text, n)
		}
	}
}

func (b *builder) anchor(names *map[string]*node, name string, n *node) {
	if *names == nil {
		*names = map[string]*node{}
	}
	if other := (*names)[name]; other != nil && other != n {
		b.bad("the anchor %s is there twice", show(name))
	}
	(*names)[name] = n
}

// resolve looks for what a reference leads to.
func (b *builder) resolve(ref *reference) {
	to, fragment, _ := strings.Cut(ref.text, "#")
	r := ref.from
	dangling := &UnsupportedError{Reason: "it is not valid", Err: fmt.Errorf("the reference %s leads nowhere", show(ref.text))}
	if to != "" {
		u, err := url.Parse(to)
		if err != nil {
			ref.err = dangling
			return
		}
		name := r.base.ResolveReference(u).String()
		b.spend(len(name) / textPerStep)
		if r = b.resources[name]; r == nil {
			ref.err = &UnsupportedError{Reason: fmt.Sprintf("it refers to %s, and %v", show(strings.TrimPrefix(name, "mcpq:///")), errOutside)}
			return
		}
	}
	fragment, err := url.PathUnescape(fragment)
	switch {
	case err != nil:
	case fragment == "":
		ref.target = r.root
	case fragment[0] == '/':
		b.point(ref, r, fragment)
	default:
		ref.anchor, ref.target = fragment, r.anchors[fragment]
	}
	if ref.target == nil && ref.err == nil {
		ref.err = dangling
	}
}

// point follows a JSON pointer. It may lead to where no keyword makes a schema
// of what is there, which then becomes one.
func (b *builder) point(ref *reference, r *resource, pointer string) {
	at := r.doc
	for name := range strings.SplitSeq(pointer[1:], "/") {
		if n := b.nodes[at]; n != nil {
			r = n.resource
		}
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		if at.kind == arrayKind {
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(at.kids.items) || strconv.Itoa(i) != name {
				return
			}
			at = &at.kids.items[i]
		} else if at = at.get(name); at == nil {
			return
		}
	}
	outer := b.err
	b.err = nil
	ref.target = b.build(at, r)
	ref.err, b.err = b.err, outer
}
