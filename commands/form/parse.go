package form

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mcpq/internal/rawjson"
)

// Read makes what a person typed a value of the field. It does not look at the
// bounds of the schema.
func (f *Field) Read(text string) (json.RawMessage, error) {
	switch f.Kind {
	case Number, Integer:
		return readNumber(strings.TrimSpace(text), f.Kind)
	case Boolean:
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "y", "yes", "true", "t", "on", "1":
			return json.RawMessage("true"), nil
		case "n", "no", "false", "f", "off", "0":
			return json.RawMessage("false"), nil
		}
		return nil, errors.New("answer yes or no")
	case Choice:
		return f.option(strings.TrimSpace(text))
	case Choices:
		return f.several(text)
	}
	if text == `""` {
		text = ""
	}
	return rawjson.Quote(strings.TrimPrefix(text, `\`)), nil
}

func readNumber(text string, kind Kind) (json.RawMessage, error) {
	text = strings.TrimPrefix(text, "+")
	if !json.Valid([]byte(text)) || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		if kind == Integer {
			return nil, errors.New("type a whole number")
		}
		return nil, errors.New("type a number, such as 12 or 0.5")
	}
	return json.RawMessage(text), nil
}

// numbered reports whether options can be chosen by their position: not when
// what is typed could as well be one of them.
func (f *Field) numbered() bool {
	for _, o := range f.Options {
		for _, s := range []string{show(o.Value), o.Title} {
			if _, err := strconv.Atoi(s); err == nil {
				return false
			}
		}
	}
	return true
}

// option finds the option that is meant by its value, title, number or the
// beginning of its title.
func (f *Field) option(text string) (json.RawMessage, error) {
	for _, o := range f.Options {
		if text == show(o.Value) || text == o.Title {
			return o.Value, nil
		}
	}
	if n, err := strconv.Atoi(text); err == nil && f.numbered() {
		if n < 1 || n > len(f.Options) {
			return nil, fmt.Errorf("there are the numbers 1 to %d", len(f.Options))
		}
		return f.Options[n-1].Value, nil
	}
	var found []Option
	for _, o := range f.Options {
		if strings.EqualFold(text, o.Title) || strings.EqualFold(text, show(o.Value)) {
			return o.Value, nil
		}
		if text != "" && strings.HasPrefix(strings.ToLower(o.Title), strings.ToLower(text)) {
			found = append(found, o)
		}
	}
	switch len(found) {
	case 1:
		return found[0].Value, nil
	case 0:
		return nil, fmt.Errorf("%q is none of the choices", text)
	}
	return nil, fmt.Errorf("%q can mean %s or %s", text, found[0].Title, found[1].Title)
}

// several reads options with commas between them.
func (f *Field) several(text string) (json.RawMessage, error) {
	text = strings.TrimSpace(text)
	chosen := []json.RawMessage{}
	if text == "[]" {
		return rawjson.Array(chosen), nil
	}
	if one, err := f.option(text); err == nil { // it may have a comma in it
		return rawjson.Array([]json.RawMessage{one}), nil
	}
	seen := make(map[string]bool)
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		one, err := f.option(part)
		if err != nil {
			return nil, err
		}
		if !seen[string(one)] {
			seen[string(one)] = true
			chosen = append(chosen, one)
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("choose at least one, or type [] for none")
	}
	return rawjson.Array(chosen), nil
}

// Show is a value of the field as a person reads it: options by their titles.
func (f *Field) Show(value json.RawMessage) string {
	switch f.Kind {
	case Boolean:
		switch string(value) {
		case "true":
			return "yes"
		case "false":
			return "no"
		}
	case Choice:
		return f.title(value)
	case Choices:
		if items, err := rawjson.Elements(value); err == nil {
			titles := make([]string, len(items))
			for i, item := range items {
				titles[i] = f.title(item)
			}
			if len(titles) == 0 {
				return "none"
			}
			return strings.Join(titles, ", ")
		}
	}
	if string(value) == `""` {
		return `""`
	}
	return show(value)
}

func (f *Field) title(value json.RawMessage) string {
	for _, o := range f.Options {
		if string(o.Value) == string(value) {
			return o.Title
		}
	}
	return show(value)
}
