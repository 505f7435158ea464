package apidiff

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"mcpq/internal/rawjson"
)

// Definitions are what a server offers, as a document tells of it.
type Definitions struct {
	root  *node
	whole bool // a snapshot; else the result of listing one kind
	lists map[string][]item
}

// item is a tool, prompt, resource or template.
type item struct {
	name string
	copy int // of those with the same name, which a server should not have
	node *node
}

// list is a kind of items.
type list struct {
	member string // of the document
	kind   string // as changes call it
	key    string // the member of an item that names it
}

func lists() []list {
	return []list{
		{"tools", "tool", "name"},
		{"prompts", "prompt", "name"},
		{"resources", "resource", "uri"},
		{"resourceTemplates", "template", "uriTemplate"},
	}
}

// FormatError is a document that holds no definitions.
type FormatError struct {
	Reason string
	Err    error
}

func (e *FormatError) Error() string {
	if e.Err != nil {
		return e.Reason + ": " + e.Err.Error()
	}
	return e.Reason
}

// Unwrap gives the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// ItemError is an item of a list without the name that tells it from others.
type ItemError struct {
	List  string // the member: tools, prompts, resources or resourceTemplates
	Index int
	Key   string // what it should be named by
}

func (e *ItemError) Error() string {
	return fmt.Sprintf("%s[%d] is no object with a text %q", e.List, e.Index, e.Key)
}

// Read reads a snapshot, or the result of listing tools, prompts, resources or
// templates. It fails with a [FormatError].
func Read(raw []byte) (*Definitions, error) {
	root, err := parse(raw)
	if err != nil {
		return nil, &FormatError{Reason: "it is not JSON", Err: err}
	}
	d := &Definitions{root: root, whole: root.is('{') && root.get("capabilities") != nil, lists: make(map[string][]item)}
	if err := d.check(); err != nil {
		return nil, err
	}
	for _, l := range lists() {
		if n := root.get(l.member); n != nil {
			if d.lists[l.member], err = itemsOf(l, n); err != nil {
				return nil, &FormatError{Reason: err.Error()}
			}
		}
	}
	root.get("serverInfo").drop("_meta")
	return d, nil
}

// check tells snapshots and lists from what only looks like them, such as the
// output of another command: of that everything else would seem to be removed.
func (d *Definitions) check() error {
	if !d.root.is('{') {
		return &FormatError{Reason: "it is not a JSON object"}
	}
	if d.whole {
		for _, m := range d.root.members {
			if !slices.Contains(snapshotMembers(), m.key) {
				return &FormatError{Reason: fmt.Sprintf("it has a member %s, which snapshots have not", m.rawKey)}
			}
		}
		return nil
	}
	if d.root.get("nextCursor").is('"') {
		return &FormatError{Reason: "it is one page of a list and has a nextCursor"}
	}
	for _, l := range lists() {
		if d.root.get(l.member) != nil {
			return nil
		}
	}
	return &FormatError{Reason: "it has neither capabilities, as snapshots have, nor a list of tools, prompts, resources or resourceTemplates"}
}

// itemsOf are the items of a list, by name, without what says nothing of them.
func itemsOf(l list, n *node) ([]item, error) {
	if !n.is('[') {
		return nil, fmt.Errorf("%s is not an array", l.member)
	}
	items := make([]item, 0, len(n.items))
	for i, at := range n.items {
		name := at.get(l.key)
		if !name.is('"') {
			return nil, &ItemError{l.member, i, l.key}
		}
		at.drop("_meta")
		if l.member == "resources" {
			at.drop("size")
			if a := at.get("annotations"); a.get("lastModified") != nil {
				a.drop("lastModified")
				if len(a.members) == 0 {
					at.drop("annotations")
				}
				at.raw = at.canonical(nil)
			}
		}
		items = append(items, item{name: name.text, node: at})
	}
	sort.SliceStable(items, func(i, j int) bool {
		a, b := items[i], items[j]
		return a.name < b.name || a.name == b.name && string(a.node.raw) < string(b.node.raw)
	})
	for i := 1; i < len(items); i++ {
		if items[i].name == items[i-1].name {
			items[i].copy = items[i-1].copy + 1
		}
	}
	return items, nil
}

// Lists tells whether the document says which items there are of a kind: tools,
// prompts, resources or resourceTemplates. A snapshot says so of all.
func (d *Definitions) Lists(member string) bool {
	_, listed := d.lists[member]
	return d.whole || listed
}

// Snapshot is what a snapshot is made of. What a server did not say is nil.
type Snapshot struct {
	ProtocolVersion   string
	SupportedVersions []string
	ServerInfo        json.RawMessage
	Capabilities      json.RawMessage
	Instructions      json.RawMessage
	Tools             []json.RawMessage
	Prompts           []json.RawMessage
	Resources         []json.RawMessage
	ResourceTemplates []json.RawMessage
}

// snapshotMembers are all that a snapshot may have.
func snapshotMembers() []string {
	return []string{"capabilities", "instructions", "prompts", "protocolVersion", "resourceTemplates", "resources",
		"serverInfo", "supportedVersions", "tools"}
}

// Encode writes the snapshot as one compact document in canonical form: items
// sorted by their name or URI, members by key, numbers and strings as the server
// spelled them. Lists that are empty are left out. It fails with an [ItemError]
// when a list cannot be sorted.
func (s *Snapshot) Encode() (json.RawMessage, error) {
	o := rawjson.Object{}
	add := func(key string, value json.RawMessage) {
		if len(value) > 0 && string(value) != "null" {
			o = o.Set(key, value)
		}
	}
	add("capabilities", json.RawMessage("{}"))
	add("capabilities", s.Capabilities)
	add("instructions", s.Instructions)
	add("serverInfo", s.ServerInfo)
	add("protocolVersion", rawjson.Quote(s.ProtocolVersion))
	if len(s.SupportedVersions) > 0 {
		versions := make([]json.RawMessage, len(s.SupportedVersions))
		for i, v := range s.SupportedVersions {
			versions[i] = rawjson.Quote(v)
		}
		add("supportedVersions", rawjson.Array(versions))
	}
	for i, items := range [][]json.RawMessage{s.Tools, s.Prompts, s.Resources, s.ResourceTemplates} {
		if len(items) == 0 {
			continue
		}
		l := lists()[i]
		list, err := parse(rawjson.Array(items))
		if err != nil {
			return nil, err
		}
		sorted, err := itemsOf(l, list)
		if err != nil {
			return nil, err
		}
		raw := make([]json.RawMessage, len(sorted))
		for i, item := range sorted {
			raw[i] = item.node.canonical(nil)
		}
		add(l.member, rawjson.Array(raw))
	}
	root, err := parse(o.Raw())
	if err != nil {
		return nil, err
	}
	root.get("serverInfo").drop("_meta")
	return root.canonical(nil), nil
}
