package manual

import (
	"encoding/json"

	"mcpq/internal/rawjson"
	"mcpq/internal/uritemplate"
	"mcpq/output"
)

// Prompt writes the page of a prompt.
func Prompt(definition json.RawMessage, o Options) (string, error) {
	object, err := rawjson.ParseObject(definition)
	if err != nil {
		return "", err
	}
	p := &page{o: o}
	name := textOf(object, "name")
	p.head(name, object)
	raw, _ := object.Get("arguments")
	items, _ := rawjson.Elements(raw) // of what is no list there are none
	usage := "mcpq get-prompt " + word(name)
	var arguments []rawjson.Object
	var example []string
	for _, item := range items {
		argument, err := rawjson.ParseObject(item)
		if err != nil {
			continue
		}
		arguments = append(arguments, argument)
		form := output.SafeLine(Key(textOf(argument, "name"))) + "=TEXT"
		if !isRequired(argument) {
			form = "[" + form + "]"
		} else {
			example = append(example, Key(textOf(argument, "name"))+"=some "+textOf(argument, "name"))
		}
		usage += " " + form
	}
	p.section("USAGE")
	p.wrap(4, usage)
	p.about(object)
	if len(arguments) > 0 {
		p.section("ARGUMENTS")
	}
	for _, argument := range arguments {
		words := []string{"string"}
		if isRequired(argument) {
			words = append(words, "required")
		}
		p.entry(4, output.SafeLine(Key(textOf(argument, "name"))), words, textOf(argument, "description"))
	}
	p.section("EXAMPLE")
	p.command(p.line("get-prompt", name, example)...)
	return p.b.String(), nil
}

func isRequired(argument rawjson.Object) bool {
	raw, _ := argument.Get("required")
	return string(raw) == "true"
}

// Template writes the page of a resource template.
func Template(definition json.RawMessage, o Options) (string, error) {
	object, err := rawjson.ParseObject(definition)
	if err != nil {
		return "", err
	}
	p := &page{o: o}
	uri := textOf(object, "uriTemplate")
	p.head(textOf(object, "name"), object)
	var names, example []string
	usage := "mcpq read " + word(uri)
	if template, err := uritemplate.Parse(uri); err == nil {
		names = template.Names()
	}
	for _, name := range names {
		usage += " " + output.SafeLine(Key(name)) + "=TEXT"
		example = append(example, Key(name)+"=some "+name)
	}
	p.section("USAGE")
	p.wrap(4, usage)
	p.about(object)
	if mime := textOf(object, "mimeType"); mime != "" {
		p.section("TYPE")
		p.wrap(4, output.SafeLine(mime))
	}
	if len(names) > 0 {
		p.section("VARIABLES")
	}
	for _, name := range names {
		p.entry(4, output.SafeLine(Key(name)), []string{"string"}, "")
	}
	p.section("EXAMPLE")
	p.command(p.line("read", uri, example)...)
	return p.b.String(), nil
}
