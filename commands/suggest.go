package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"mcpq/commands/args"
)

// didYouMean ends a message about a name with those that are near, or that it is
// the beginning of; "" if none is.
func didYouMean(name string, known []string) string {
	near := args.Nearest(name, known)
	if near == nil && len(strings.Trim(name, "-")) > 1 {
		for _, k := range known {
			if len(near) < 3 && strings.HasPrefix(k, name) {
				near = append(near, k)
			}
		}
	}
	return meaning(near)
}

func meaning(names []string) string {
	if len(names) == 0 {
		return ""
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
		if strings.HasPrefix(n, "-") {
			quoted[i] = n
		}
	}
	return ", did you mean " + either(quoted, "or") + "?"
}

// either lists names, with a word before the last.
func either(names []string, word string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// unknownChoice is the error for a value that is none of those that a flag can
// have.
func unknownChoice(flag, got string, choices []string) *UsageError {
	choices = slices.DeleteFunc(slices.Clone(choices), func(c string) bool { return c == "" })
	return &UsageError{
		Err:  fmt.Errorf("unknown %s %q%s", flag, got, didYouMean(got, choices)),
		Hint: "choose " + either(choices, "or"),
	}
}

// commandNames are the names of the commands of a node.
func commandNames(node *kong.Node) []string {
	var names []string
	for _, c := range node.Children {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}

// unknownCommand explains a word that is no command.
func (l *badLine) unknownCommand(rest []string) *UsageError {
	word := rest[0]
	if !l.root() {
		u := usageErrorf("%s has no command %q%s", nodePath(l.node), word, didYouMean(word, commandNames(l.node)))
		u.Hint = "it has " + either(commandNames(l.node), "and")
		return u
	}
	near := l.nearCommands(rest)
	if strings.Contains(word, "://") {
		word = safeURL(word)
	}
	if isServer(word) {
		u := usageErrorf("unknown command %q", word)
		u.Hint = "a server is named with -s: mcpq COMMAND -s " + word
		return u
	}
	u := usageErrorf("unknown command %q%s", word, meaning(near))
	switch {
	case len(near) == 1:
		u.Hint = fmt.Sprintf("'mcpq %s --help' shows its usage", near[0])
	case strings.ContainsAny(word, `/\`):
		u.Hint = "the command of a server goes behind --: mcpq COMMAND -- " + word
	case findTopic(rest[:1]) != nil:
		u.Hint = fmt.Sprintf("'mcpq help %s' tells of it", word)
	default:
		u.Hint = "'mcpq --help' lists all commands"
	}
	return u
}

// nearCommands are the commands that may be meant by words of which the first is
// none: two that belong together, what other programs call it, the beginning of
// a name, or a misspelling.
func (l *badLine) nearCommands(rest []string) []string {
	names := commandNames(l.ctx.Model.Node)
	word := strings.ToLower(rest[0])
	if len(rest) > 1 {
		for _, end := range []string{"", "s"} {
			if joined := word + "-" + strings.ToLower(rest[1]) + end; slices.Contains(names, joined) {
				return []string{joined}
			}
		}
	}
	if known := calledElsewhere(word); len(known) > 0 {
		return slices.DeleteFunc(known, func(n string) bool { return !slices.Contains(names, n) })
	}
	known := slices.Clone(names)
	for _, c := range l.ctx.Model.Children {
		if !c.Hidden {
			known = append(known, c.Aliases...)
		}
	}
	var begun []string
	for _, n := range names {
		if len(word) > 2 && (strings.HasPrefix(n, word) || strings.Contains(n, "-"+word)) {
			begun = append(begun, n)
		}
	}
	if len(begun) > 0 {
		return begun
	}
	return args.Nearest(rest[0], known)
}

// calledElsewhere are the commands for what other programs call otherwise.
func calledElsewhere(word string) []string {
	switch word {
	case "ls", "list":
		return []string{"list-tools", "list-resources", "list-templates", "list-prompts"}
	case "get", "cat", "fetch":
		return []string{"read", "get-prompt"}
	case "tool":
		return []string{"list-tools", "call", "describe"}
	case "invoke", "exec", "call-tool":
		return []string{"call"}
	case "resource", "read-resource":
		return []string{"read", "list-resources"}
	case "template":
		return []string{"list-templates", "read"}
	case "show", "inspect", "schema":
		return []string{"describe", "info"}
	case "initialize", "init", "discover", "capabilities", "status":
		return []string{"info"}
	case "subscribe", "listen", "events":
		return []string{"watch"}
	case "request", "send", "raw", "notify":
		return []string{"rpc"}
	case "login", "logout", "token":
		return []string{"auth"}
	case "task", "job", "jobs", "wait":
		return []string{"tasks"}
	case "serve", "server":
		return []string{"demo", "servers"}
	case "manual", "usage":
		return []string{"help", "man"}
	}
	return nil
}

// unexpected explains an argument that a command does not take.
func (l *badLine) unexpected(word string) *UsageError {
	server := isServer(word)
	if strings.Contains(word, "://") {
		word = safeURL(word)
	}
	path := nodePath(l.node)
	u := usageErrorf("unexpected argument %q of %s", word, path)
	switch {
	case slices.Contains(commandNames(l.ctx.Model.Node), word):
		u.Hint = fmt.Sprintf("one command at a time: 'mcpq %s --help' shows that of %s", word, word)
	case isBare(l.node) || l.server: // the usage says it
	case server:
		u.Hint = fmt.Sprintf("a server is named with -s: mcpq %s -s %s", path, word)
	default:
		u.Hint = fmt.Sprintf("the command of a server goes behind --: mcpq %s -- %s", path, word)
	}
	return u
}

// isServer reports whether a word can only be meant as a server.
func isServer(word string) bool {
	return strings.Contains(word, "://") || word == "demo:" || strings.HasPrefix(word, "stdio:")
}

// bareHint says what may be meant by an argument that has no =.
func bareHint(word string) string {
	if strings.HasPrefix(word, "{") {
		return "a whole object goes with --args"
	}
	return "arguments have names, such as a=2: 'mcpq describe NAME' shows them"
}
