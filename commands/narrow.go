package commands

import (
	"encoding"
	"reflect"
	"strings"
)

// narrowed are those of the shared flags that a command line can mean. kong
// takes some ten microseconds for each flag it is told of, and there are many,
// so that building all of them takes longer than many a call does.
type narrowed struct {
	flags   reflect.Value // a struct made for kong
	targets []reflect.Value
}

// narrow finds the flags of the struct shared that are among the words, and
// gives the others their defaults. It may find too many, but never too few that
// kong would not notice: a flag that it does not know is an error.
func narrow(shared any, words []string) *narrowed {
	n := &narrowed{}
	var fields []reflect.StructField
	n.find(&fields, reflect.ValueOf(shared).Elem(), flagsAmong(words))
	n.flags = reflect.New(reflect.StructOf(fields))
	return n
}

// root is what kong fills.
func (n *narrowed) root() any { return n.flags.Interface() }

// adopt puts what kong has read where it belongs.
func (n *narrowed) adopt() {
	for i, target := range n.targets {
		target.Set(n.flags.Elem().Field(i))
	}
}

func (n *narrowed) find(fields *[]reflect.StructField, shared reflect.Value, words []string) {
	for i := range shared.NumField() {
		field, value := shared.Type().Field(i), shared.Field(i)
		if field.Anonymous {
			n.find(fields, value, words)
			continue
		}
		if named(field, words) || !setDefault(value, field.Tag) {
			// The help is left out, because kong would look for variables in it.
			tag, _, _ := strings.Cut(string(field.Tag), " help:")
			*fields = append(*fields, reflect.StructField{Name: field.Name, Type: field.Type, Tag: reflect.StructTag(tag)})
			n.targets = append(n.targets, value)
		}
	}
}

// flagsAmong are the words that can be flags, without values.
func flagsAmong(words []string) []string {
	var flags []string
	for _, w := range words {
		if len(w) > 1 && w[0] == '-' {
			if long, ok := strings.CutPrefix(w, "--"); ok {
				long, _, _ = strings.Cut(long, "=")
				w = "--" + strings.ReplaceAll(long, "-", "")
			}
			flags = append(flags, w)
		}
	}
	return flags
}

// named reports whether one of the words can be the flag of a field: its name,
// or one that kong would make of the field's, or its letter among others.
func named(field reflect.StructField, words []string) bool {
	for _, w := range words {
		if long, ok := strings.CutPrefix(w, "--"); ok {
			if strings.EqualFold(long, field.Name) || long == strings.ReplaceAll(field.Tag.Get("name"), "-", "") {
				return true
			}
		} else if letter := field.Tag.Get("short"); letter != "" && strings.Contains(w, letter) {
			return true
		}
	}
	return false
}

// setDefault does what kong would do to a flag that is not given. It reports
// whether it knows how.
func setDefault(value reflect.Value, tag reflect.StructTag) bool {
	text, ok := tag.Lookup("default")
	if !ok {
		value.SetZero()
		return true
	}
	if u, ok := value.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text)) == nil
	}
	if value.Kind() != reflect.String {
		return false
	}
	value.SetString(text)
	return true
}
