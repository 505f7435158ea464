package commands

import (
	"strings"

	"github.com/alecthomas/kong"
)

// How the grammar is written in help, manual and messages.

// nodePath is a command as it is typed, without mcpq.
func nodePath(node *kong.Node) string {
	if node.Parent == nil || node.Parent.Type == kong.ApplicationNode {
		return node.Name
	}
	return nodePath(node.Parent) + " " + node.Name
}

// usageLine shows how a command is used.
func usageLine(node *kong.Node) string {
	parts := []string{"mcpq " + nodePath(node)}
	if len(node.Children) > 0 {
		parts = append(parts, "COMMAND")
	}
	for _, v := range node.Positional {
		parts = append(parts, positional(v))
	}
	optional := false
	for _, f := range ownFlags(node) {
		if f.Required {
			parts = append(parts, longForm(f))
		}
		optional = optional || !f.Required
	}
	if optional || !isBare(node) {
		parts = append(parts, "[FLAG…]")
	}
	if takesServerCommand(node) {
		parts = append(parts, "[-- SERVER-COMMAND [ARG…]]")
	}
	return strings.Join(parts, " ")
}

// takesServerCommand tells whether the command of a server may stand behind --.
// Those about config files start none, but one may be added.
func takesServerCommand(node *kong.Node) bool {
	const configured = "servers"
	path := nodePath(node)
	return !isBare(node) && (path == configured+" add" || path != configured && !strings.HasPrefix(path, configured+" "))
}

// positional is an argument of a command: in capitals, unless it has a form of
// its own.
func positional(v *kong.Value) string {
	name := v.Name
	if !strings.Contains(name, "=") {
		name = strings.ToUpper(name)
	}
	if v.IsCumulative() {
		name += "…"
	}
	if !v.Required {
		name = "[" + name + "]"
	}
	return name
}

// flagForm is a flag with its short form, where it has one, and its value.
func flagForm(f *kong.Flag) string {
	if f.Short == 0 {
		return longForm(f)
	}
	return "-" + string(f.Short) + ", " + longForm(f)
}

func longForm(f *kong.Flag) string {
	if f.IsBool() || f.IsCounter() {
		return "--" + f.Name
	}
	return "--" + f.Name + " " + f.FormatPlaceHolder()
}

// ownFlags are the flags of a command that not all others have too.
func ownFlags(node *kong.Node) []*kong.Flag {
	var own []*kong.Flag
	for n := node; n != nil && n.Type != kong.ApplicationNode; n = n.Parent {
		for _, f := range n.Flags {
			if !f.Hidden {
				own = append(own, f)
			}
		}
	}
	return own
}

// isBare tells whether a command has nothing to do with a server.
func isBare(node *kong.Node) bool {
	name, _, _ := strings.Cut(nodePath(node), " ")
	for _, c := range table() {
		if c.name == name {
			return c.bare
		}
	}
	return false
}

// flagGroup is a heading with the flags that stand under it.
type flagGroup struct {
	key, title string
	flags      []*kong.Flag
}

// flagGroups are the flags that all commands have, in groups.
func flagGroups(m *kong.Application) []flagGroup {
	groups := []flagGroup{}
	for _, g := range helpGroups() {
		var flags []*kong.Flag
		for _, f := range m.Flags {
			if !f.Hidden && f.Group != nil && f.Group.Key == g.Key {
				flags = append(flags, f)
			}
		}
		groups = append(groups, flagGroup{g.Key, g.Title, flags})
	}
	other := flagGroup{title: "Other"}
	for _, f := range m.Flags {
		if !f.Hidden && f.Group == nil {
			other.flags = append(other.flags, f)
		}
	}
	return append(groups, other)
}

// helpGroups are the groups of shared flags.
func helpGroups() []kong.Group {
	return []kong.Group{
		{Key: "server", Title: "Server"},
		{Key: "output", Title: "Output"},
		{Key: "limits", Title: "Limits"},
		{Key: "diagnosis", Title: "Diagnosis"},
		{Key: "client", Title: "Answers to the server"},
		{Key: "auth", Title: "Authorization"},
	}
}
