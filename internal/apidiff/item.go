package apidiff

import (
	"slices"
	"strings"
)

// outputSchema compares what a tool says of its results. Where it said nothing,
// nobody relied on anything.
func (c *comparison) outputSchema(p place, old, new *node) {
	switch {
	case old == nil:
		c.add(p, added, Addition, old, new, "outputSchema was added")
	case new == nil:
		c.add(p, removed, Breaks, old, new, "outputSchema was removed")
	default:
		c.schemas(p, false, old, new)
	}
}

// A hint is a boolean that a tool claims of itself.
type hint struct {
	key      string
	fallback bool   // what holds if it is not given
	claim    string // the value that a client may be careless with, in words
	denial   string // the other one, which is also the fallback
}

func hints() []hint {
	return []hint{
		{"readOnlyHint", false, "read-only", "not read-only"},
		{"destructiveHint", true, "not destructive", "destructive"},
		{"idempotentHint", false, "idempotent", "not idempotent"},
		{"openWorldHint", true, "closed-world", "open-world"},
	}
}

// toolAnnotations compares the claims of a tool. Clients run tools unasked because
// of them, so that a claim of less safety breaks. What is not given counts as the
// specification has it; destructiveHint and idempotentHint only mean something for
// tools that are not read-only.
func (c *comparison) toolAnnotations(p place, old, new *node) {
	if !isObject(old) || !isObject(new) {
		c.other(p, Caution, "annotations", old, new)
		return
	}
	readOnly := new.get("readOnlyHint").is('t')
	members(old, new, func(key string, o, n *node) {
		p := p.in(key)
		i := slices.IndexFunc(hints(), func(h hint) bool { return h.key == key })
		if i < 0 || !isHint(o) || !isHint(n) {
			c.words(p, key, o, n)
			return
		}
		h := hints()[i]
		said := "says now that it is " + h.denial
		if n == nil {
			said = "no longer says that it is " + h.claim
		}
		switch was, is := h.value(o), h.value(n); {
		case was == is:
			c.words(p, key, o, n) // said now, or not any more
		case is != h.fallback:
			c.add(p, changed, Addition, o, n, "the tool says now that it is "+h.claim)
		case readOnly && (key == "destructiveHint" || key == "idempotentHint"):
			c.add(p, changed, Caution, o, n, "the tool "+said+", which means nothing while it is read-only")
		default:
			c.add(p, changed, Breaks, o, n, "the tool "+said)
		}
	})
}

// isObject tells whether a value is an object, or not there.
func isObject(n *node) bool { return n == nil || n.is('{') }

func isHint(n *node) bool { return n == nil || n.is('t') || n.is('f') }

func (h *hint) value(n *node) bool {
	if n == nil {
		return h.fallback
	}
	return n.is('t')
}

// execution compares how a tool can be run.
func (c *comparison) execution(p place, old, new *node) {
	if !isObject(old) || !isObject(new) {
		c.other(p, Caution, "execution", old, new)
		return
	}
	members(old, new, func(key string, o, n *node) {
		p := p.in(key)
		was, is := taskSupport(o), taskSupport(n)
		switch {
		case key != "taskSupport" || was == "" || is == "":
			c.other(p, Caution, key, o, n)
		case was == is:
			c.words(p, key, o, n)
		case is == "optional":
			c.add(p, widened, Addition, o, n, "the tool may run as a task or not; that was "+was)
		case is == "required":
			c.add(p, narrowed, Breaks, o, n, "the tool can only run as a task now")
		default:
			c.add(p, narrowed, Breaks, o, n, "the tool can no longer run as a task")
		}
	})
}

// taskSupport is the value that holds; "" is one that is not known.
func taskSupport(n *node) string {
	switch {
	case n == nil:
		return "forbidden"
	case n.is('"') && slices.Contains([]string{"forbidden", "optional", "required"}, n.text):
		return n.text
	}
	return ""
}

// mimeType compares the type of a resource. Who was told none expects nothing.
func (c *comparison) mimeType(p place, o, n *node) {
	switch {
	case o == nil:
		c.add(p, added, Addition, o, n, "mimeType was added: "+show(n.raw))
	case n == nil:
		c.add(p, removed, Breaks, o, n, "mimeType was removed; it was "+show(o.raw))
	case !equal(o, n):
		c.add(p, changed, Breaks, o, n, "mimeType changed from "+show(o.raw)+" to "+show(n.raw))
	}
}

// promptArguments compares the arguments of a prompt, by name.
func (c *comparison) promptArguments(p place, old, new *node) {
	a, ok := promptArguments(old)
	b, fine := promptArguments(new)
	if !ok || !fine {
		if !equal(old, new) {
			c.add(p, changed, Breaks, old, new, "arguments changed in a way that cannot be judged")
		}
		return
	}
	both(a, b, func(x, y member) int { return strings.Compare(x.key, y.key) }, func(x, y *member) {
		var o, n *node
		name := ""
		if x != nil {
			o, name = x.value, x.key
		}
		if y != nil {
			n, name = y.value, y.key
		}
		c.promptArgument(p.in(name), "argument "+named(name), o, n)
	})
}

func (c *comparison) promptArgument(p place, subject string, o, n *node) {
	needed, needs := o.get("required").is('t'), n.get("required").is('t')
	switch {
	case n == nil:
		c.add(p, removed, Breaks, o, n, subject+" was removed")
		return
	case o == nil && needs:
		c.add(p, added, Breaks, o, n, subject+" was added and is required")
		return
	case o == nil:
		c.add(p, added, Addition, o, n, subject+" was added")
		return
	case !needed && needs:
		c.add(p, required, Breaks, o, n, subject+" is required now")
	case needed && !needs:
		c.add(p, optional, Addition, o, n, subject+" is optional now")
	}
	members(o, n, func(key string, o, n *node) {
		switch key {
		case "required":
		case "title", "description":
			c.words(p.in(key), subject+": "+key, o, n)
		default:
			c.other(p.in(key), Caution, subject+": "+named(key), o, n)
		}
	})
}

// promptArguments are those of a prompt by name; false if the list is none, or
// names one twice.
func promptArguments(n *node) ([]member, bool) {
	if n == nil {
		return nil, true
	}
	var found []member
	for _, a := range n.items {
		name := a.get("name")
		if !name.is('"') {
			return nil, false
		}
		found = append(found, member{key: name.text, value: a})
	}
	before := len(found)
	found = byKey(found)
	return found, n.is('[') && len(found) == before
}
