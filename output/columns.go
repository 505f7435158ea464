package output

import (
	"encoding/json"
	"slices"
	"strings"

	"mcpq/internal/rawjson"
)

// column is one column of a table: its heading and what stands in it.
type column struct {
	title string
	cell  func(rawjson.Object) string
}

// columnsOf are the columns of a list by what its items are: those of the
// protocol have theirs; others show what their members are.
func columnsOf(items []rawjson.Object) []column {
	if len(items) == 0 {
		return nil
	}
	has := func(key string) bool { _, ok := items[0].Get(key); return ok }
	field := func(title, key string) column {
		return column{title, func(o rawjson.Object) string { return cell(o, key) }}
	}
	about := column{"DESCRIPTION", describe}
	switch {
	case has("inputSchema"):
		return []column{field("NAME", "name"), {"HINTS", hints}, about}
	case has("uriTemplate"):
		return []column{field("TEMPLATE", "uriTemplate"), field("NAME", "name"), field("TYPE", "mimeType"), about}
	case has("uri") && has("name"):
		return []column{field("URI", "uri"), field("NAME", "name"), field("TYPE", "mimeType"), field("SIZE", "size"), about}
	case has("change") && has("message"): // of definitions, see diff
		return []column{field("KIND", "kind"), field("NAME", "name"), field("CHANGE", "change"), field("BREAKING", "breaking"), field("MESSAGE", "message")}
	case has("name") && (has("arguments") || has("description") && len(items[0]) <= 4):
		return []column{field("NAME", "name"), {"ARGUMENTS", promptArguments}, about}
	}
	var found []column
	seen := map[string]bool{}
	for _, item := range items {
		for _, m := range item {
			if !seen[m.Key] && len(found) < maxColumns {
				seen[m.Key] = true
				found = append(found, field(strings.ToUpper(SafeLine(m.Key)), m.Key))
			}
		}
	}
	return found
}

// maxColumns bounds a table of items that have nothing in common.
const maxColumns = 40

// cell shows a member on one line.
func cell(o rawjson.Object, key string) string {
	raw, ok := o.Get(key)
	if !ok || string(raw) == "null" {
		return ""
	}
	if data, is := rawjson.Unquote(raw); is && (key == "data" || key == "blob") {
		return sizeOf(data)
	}
	return scalarText(raw)
}

// scalarText shows a value on one line.
func scalarText(raw json.RawMessage) string {
	if s, ok := rawjson.Unquote(raw); ok {
		return SafeLine(s)
	}
	return SafeLine(string(raw))
}

// describe is the title or the first paragraph of the description.
func describe(o rawjson.Object) string {
	about := strings.TrimSpace(textOf(o, "description"))
	if about == "" {
		about = textOf(o, "title")
	}
	if i := strings.Index(strings.ReplaceAll(about, "\r\n", "\n"), "\n\n"); i > 0 {
		about = about[:i]
	}
	return SafeLine(about)
}

// hints are what a tool claims of itself, in words.
func hints(o rawjson.Object) string {
	annotations, _ := o.Get("annotations")
	says := func(key string) string { return string(member(annotations, key)) }
	var words []string
	switch {
	case says("readOnlyHint") == "true":
		words = append(words, "read-only")
	case says("destructiveHint") == "true":
		words = append(words, "destructive")
	}
	if says("openWorldHint") == "true" {
		words = append(words, "open-world")
	}
	return strings.Join(words, ",")
}

// promptArguments names the arguments of a prompt; those in brackets are
// optional.
func promptArguments(o rawjson.Object) string {
	raw, _ := o.Get("arguments")
	items, err := rawjson.Elements(raw)
	if err != nil {
		return ""
	}
	var names []string
	for _, item := range items {
		name := scalarText(member(item, "name"))
		if string(member(item, "required")) != "true" {
			name = "[" + name + "]"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// rows splits a document into the items of a table. ok is false when it is no
// list of objects.
func rows(doc []byte) (objects []rawjson.Object, ok bool) {
	kind, _, items := shapeOf(doc)
	if kind == shapeOther && len(doc) > 0 && doc[0] == '[' {
		var err error
		if items, err = rawjson.Elements(doc); err != nil {
			return nil, false
		}
	} else if kind == shapeOther || kind == shapeBlock || kind == shapeCompletion {
		return nil, false
	}
	if slices.ContainsFunc(items, func(item json.RawMessage) bool { return item[0] != '{' }) {
		return nil, false
	}
	for _, item := range items {
		object, err := rawjson.ParseObject(item)
		if err != nil {
			return nil, false
		}
		objects = append(objects, object)
	}
	return objects, true
}
