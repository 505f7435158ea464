package form

import (
	"encoding/json"
	"fmt"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/internal/schema"
)

// Kind is what a field takes.
type Kind int

// The kinds of fields.
const (
	Text Kind = iota
	Number
	Integer
	Boolean
	Choice  // one of Choices
	Choices // any of Choices
	JSON    // anything; only an argument of a tool can be of this kind
)

// Field is one thing that is asked for.
type Field struct {
	Name        string
	Title       string // Name, if the server gave none
	Description string
	Kind        Kind
	Required    bool
	Default     json.RawMessage // nil: none
	Options     []Option        // of a Choice or Choices

	format             string
	minLength, maxText json.RawMessage // bounds as the server spelled them
	minimum, maximum   json.RawMessage
	above, below       json.RawMessage // exclusive bounds
	minItems, maxItems json.RawMessage
	pattern            string
	typeName           string   // of a JSON field
	members            []string // that it has to have
	long               bool     // a text of several lines
	nullable           bool     // null can be typed as well
}

// Option is one value of a choice.
type Option struct {
	Value json.RawMessage
	Title string
}

func parseField(name string, raw json.RawMessage) (*Field, error) {
	object, err := rawjson.ParseObject(raw)
	if err != nil {
		return nil, &SchemaError{fmt.Sprintf("the field %q is not an object", name)}
	}
	text := func(key string) string {
		raw, _ := object.Get(key)
		s, _ := rawjson.Unquote(raw)
		return s
	}
	get := func(key string) json.RawMessage {
		raw, _ := object.Get(key)
		return raw
	}
	f := &Field{
		Name: name, Title: text("title"), Description: text("description"),
		format: text("format"), pattern: text("pattern"),
		minLength: get("minLength"), maxText: get("maxLength"),
		minimum: get("minimum"), maximum: get("maximum"),
		above: get("exclusiveMinimum"), below: get("exclusiveMaximum"),
		minItems: get("minItems"), maxItems: get("maxItems"),
	}
	switch f.format {
	case "multiline", "multi-line", "textarea", "markdown", "text/markdown", "code":
		f.long = true
	}
	f.long = f.long || strings.HasPrefix(text("contentMediaType"), "text/")
	if f.Title == "" {
		f.Title = name
	}
	if value, ok := object.Get("default"); ok && isFlat(value) {
		f.Default = value
	}
	if f.Options = options(object); f.Options != nil {
		f.Kind = Choice
		return f, nil
	}
	switch kind := text("type"); kind {
	case "string":
		f.Kind = Text
	case "number":
		f.Kind = Number
	case "integer":
		f.Kind = Integer
	case "boolean":
		f.Kind = Boolean
	case "array":
		f.Kind = Choices
		items, err := rawjson.ParseObject(get("items"))
		if err == nil {
			f.Options = options(items)
		}
		if f.Options == nil {
			return nil, &SchemaError{fmt.Sprintf("the list %q does not say what can be chosen", name)}
		}
	default:
		return nil, &SchemaError{fmt.Sprintf("the field %q is of no type that can be asked for", name)}
	}
	return f, nil
}

// options reads the values of a choice: enum, with enumNames where the server
// is of that age, or oneOf or anyOf with titles. It is nil if there are none.
func options(object rawjson.Object) []Option {
	if raw, ok := object.Get("enum"); ok {
		values, err := rawjson.Elements(raw)
		if err != nil || len(values) == 0 {
			return nil
		}
		var titles []string
		if raw, ok := object.Get("enumNames"); ok {
			_ = json.Unmarshal(raw, &titles) // without them the values speak for themselves
		}
		all := make([]Option, len(values))
		for i, v := range values {
			all[i] = Option{Value: v, Title: show(v)}
			if len(titles) == len(values) {
				all[i].Title = titles[i]
			}
		}
		return all
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		raw, _ := object.Get(key)
		items, err := rawjson.Elements(raw)
		if err != nil {
			continue
		}
		var all []Option
		for _, item := range items {
			o, err := rawjson.ParseObject(item)
			if err != nil {
				return nil
			}
			value, ok := o.Get("const")
			if !ok {
				return nil
			}
			title, _ := o.Get("title")
			option := Option{Value: value, Title: show(value)}
			if s, ok := rawjson.Unquote(title); ok && s != "" {
				option.Title = s
			}
			all = append(all, option)
		}
		return all
	}
	return nil
}

// show is a value as a person reads it.
func show(value json.RawMessage) string {
	if s, ok := rawjson.Unquote(value); ok {
		return s
	}
	return string(value)
}

// at reports whether a place in the answer belongs to the field.
func (f *Field) at(pointer string) bool {
	own := f.pointer()
	return pointer == own || strings.HasPrefix(pointer, own+"/")
}

func (f *Field) pointer() string {
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(f.Name)
}

// reason words a violation for somebody who is just being asked for the field,
// and so need not be told which it is.
func (f *Field) reason(v schema.Violation) string {
	if v.Path != f.pointer() {
		return v.Reason // it is about something inside
	}
	return strings.TrimPrefix(v.Reason, v.Dotted+": ")
}

// Secret reports whether a field seems to ask for what a server must never ask
// for in a form.
func (f *Field) Secret() bool {
	text := strings.ToLower(f.Name + " " + f.Title + " " + f.Description)
	squeezed := strings.NewReplacer("_", "", "-", "", " ", "").Replace(text)
	for _, word := range []string{
		"password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey",
		"privatekey", "credential", "bearer", "creditcard", "cardnumber", "cvv", "onetimecode",
	} {
		if strings.Contains(squeezed, word) {
			return true
		}
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if word == "pin" || word == "otp" || word == "key" || word == "ssn" {
			return true
		}
	}
	return false
}
