package apidiff

// server compares what two servers said of themselves.
func (c *comparison) server(old, new *node) {
	c.versions(old, new)
	c.capabilities(place("capabilities"), "", old.get("capabilities"), new.get("capabilities"))
	c.words("instructions", "instructions", old.get("instructions"), new.get("instructions"))
	members(old.get("serverInfo"), new.get("serverInfo"), func(key string, o, n *node) {
		weight := Words
		if key == "name" || key == "version" {
			weight = Caution
		}
		c.other(place("serverInfo").in(key), weight, "the server's "+named(key), o, n)
	})
}

// versions compares the versions of the protocol. An older one than before lacks
// what came later. A newer one alone does not show that the older ones are gone.
func (c *comparison) versions(old, new *node) {
	if o, n := old.get("protocolVersion"), new.get("protocolVersion"); !equal(o, n) {
		switch {
		case o.is('"') && n.is('"') && n.text > o.text: // they are dates
			c.add("protocolVersion", changed, Caution, o, n, "the protocol version went from "+show(o.raw)+" to "+show(n.raw))
		case o == nil:
			c.add("protocolVersion", added, Caution, o, n, "the protocol version is "+show(n.raw))
		case n == nil:
			c.add("protocolVersion", removed, Caution, o, n, "the protocol version is unknown now")
		default:
			c.add("protocolVersion", changed, Breaks, o, n, "the protocol version went back from "+show(o.raw)+" to "+show(n.raw))
		}
	}
	o, n := old.get("supportedVersions"), new.get("supportedVersions")
	if o == nil || n == nil { // only servers of the stateless era say
		return
	}
	const p = place("supportedVersions")
	if gone := lacking(o.items, n.items); len(gone) > 0 {
		c.add(p, narrowed, Breaks, o, n, "protocol versions no longer spoken: "+firstOf(gone))
	}
	if more := lacking(n.items, o.items); len(more) > 0 {
		c.add(p, widened, Addition, o, n, "protocol versions spoken as well: "+firstOf(more))
	}
}

// capabilities compares what servers declare. A capability counts when it is
// there and neither false nor null; one that is gone takes what is below it along.
func (c *comparison) capabilities(p place, name string, old, new *node) {
	members(old, new, func(key string, o, n *node) {
		p, name := p.in(key), name+"."+named(key)
		if len(name) > 0 && name[0] == '.' {
			name = name[1:]
		}
		switch had, has := offered(o), offered(n); {
		case !had && !has:
		case !had:
			c.add(p, added, Addition, o, n, "the capability "+name+" was added")
		case !has:
			c.add(p, removed, Breaks, o, n, "the capability "+name+" was lost")
		case o.is('{') && n.is('{'):
			c.capabilities(p, name, o, n)
		case !equal(o, n):
			c.add(p, changed, Caution, o, n, "the capability "+name+" changed from "+show(o.raw)+" to "+show(n.raw))
		}
	})
}

func offered(n *node) bool { return n != nil && !n.is('f') && !n.is('n') }
