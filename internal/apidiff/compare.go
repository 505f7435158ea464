package apidiff

import (
	"sort"
	"strings"
)

// DisjointError is two lists of different kinds.
type DisjointError struct{}

func (*DisjointError) Error() string { return "they list different kinds of things" }

// Compare tells what changed. Of a list of one kind only that kind is compared.
// The changes come in a stable order: the server, tools, prompts, resources and
// templates, each by name and then by path. It fails with a [DisjointError] when
// there is nothing that both speak of.
func Compare(old, new *Definitions) ([]Change, error) {
	c := &comparison{budget: budget{left: baseSteps + stepsPerByte*(len(old.root.raw)+len(new.root.raw))}}
	if old.whole && new.whole {
		c.at("server", "")
		c.server(old.root, new.root)
		c.sort()
	}
	compared := old.whole && new.whole
	for _, l := range lists() {
		if old.Lists(l.member) && new.Lists(l.member) {
			compared = true
			c.list(l, old.lists[l.member], new.lists[l.member])
		}
	}
	if !compared {
		return nil, &DisjointError{}
	}
	return c.changes, nil
}

// comparison collects what changed.
type comparison struct {
	budget     budget
	kind, name string // of the item at hand
	first      int    // its first change
	changes    []Change
}

// at begins an item.
func (c *comparison) at(kind, name string) {
	c.kind, c.name, c.first = kind, name, len(c.changes)
}

// sort orders the changes of the item at hand.
func (c *comparison) sort() {
	found := c.changes[c.first:]
	sort.SliceStable(found, func(i, j int) bool { return found[i].Path < found[j].Path })
}

// add notes a change of the item at hand. There are so many calls that the program
// would be 30 kB larger with it inlined.
//
//go:noinline
func (c *comparison) add(p place, change string, weight Weight, old, new *node, message string) {
	c.changes = append(c.changes, Change{
		Kind: c.kind, Name: c.name, Path: string(p), Change: change, Breaking: weight == Breaks,
		Old: rawOf(old), New: rawOf(new), Message: message, Weight: weight,
	})
}

// list compares the items of one kind.
func (c *comparison) list(l list, old, new []item) {
	both(old, new, func(a, b item) int {
		if order := strings.Compare(a.name, b.name); order != 0 {
			return order
		}
		return a.copy - b.copy
	}, func(o, n *item) {
		switch {
		case o == nil:
			c.at(l.kind, n.name)
			c.add("", added, Addition, nil, n.node, "the "+l.kind+" was added")
		case n == nil:
			c.at(l.kind, o.name)
			c.add("", removed, Breaks, o.node, nil, "the "+l.kind+" was removed")
		case string(o.node.raw) != string(n.node.raw):
			c.at(l.kind, n.name)
			c.item(l, o.node, n.node)
			c.sort()
		}
	})
}

// item compares two items with the same name.
func (c *comparison) item(l list, old, new *node) {
	members(old, new, func(key string, o, n *node) {
		p := place("").in(key)
		switch {
		case key == "title" || key == "description" || key == "icons", l.key != "name" && key == "name":
			c.words(p, key, o, n)
		case l.kind == "tool" && key == "inputSchema":
			c.schemas(p, true, o, n)
		case l.kind == "tool" && key == "outputSchema":
			c.outputSchema(p, o, n)
		case l.kind == "tool" && key == "annotations":
			c.toolAnnotations(p, o, n)
		case l.kind == "tool" && key == "execution":
			c.execution(p, o, n)
		case l.kind == "prompt" && key == "arguments":
			c.promptArguments(p, o, n)
		case key == "mimeType":
			c.mimeType(p, o, n)
		case key == "annotations":
			c.words(p, key, o, n)
		default:
			c.other(p, Caution, key, o, n)
		}
	})
}

// words compares what is there for readers.
func (c *comparison) words(p place, what string, o, n *node) { c.other(p, Words, what, o, n) }

// other compares something of which no more is known than how much it weighs.
func (c *comparison) other(p place, w Weight, what string, o, n *node) {
	was := "was"
	if strings.HasSuffix(what, "s") {
		was = "were"
	}
	switch {
	case equal(o, n):
	case o == nil:
		c.add(p, added, w, o, n, what+" "+was+" added")
	case n == nil:
		c.add(p, removed, w, o, n, what+" "+was+" removed")
	case w == Words:
		c.add(p, changed, w, o, n, what+" changed")
	default:
		c.add(p, changed, w, o, n, what+" changed from "+show(o.raw)+" to "+show(n.raw))
	}
}

// both walks over two sorted lists at once.
func both[T any](old, new []T, compare func(a, b T) int, visit func(o, n *T)) {
	for i, j := 0, 0; i < len(old) || j < len(new); {
		order := 0
		switch {
		case i == len(old):
			order = 1
		case j == len(new):
			order = -1
		default:
			order = compare(old[i], new[j])
		}
		switch {
		case order < 0:
			visit(&old[i], nil)
			i++
		case order > 0:
			visit(nil, &new[j])
			j++
		default:
			visit(&old[i], &new[j])
			i, j = i+1, j+1
		}
	}
}

// members walks over the members of two objects at once. What is no object has
// none.
func members(old, new *node, visit func(key string, o, n *node)) {
	var a, b []member
	if old != nil {
		a = old.members
	}
	if new != nil {
		b = new.members
	}
	walk(a, b, visit)
}

// walk walks over sorted members of two kinds at once.
func walk(a, b []member, visit func(key string, o, n *node)) {
	both(a, b, func(x, y member) int { return strings.Compare(x.key, y.key) }, func(o, n *member) {
		switch {
		case o == nil:
			visit(n.key, nil, n.value)
		case n == nil:
			visit(o.key, o.value, nil)
		default:
			visit(o.key, o.value, n.value)
		}
	})
}
