package servers

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mcpq/internal/rawjson"
)

// Input is what a file of VS Code asks a person for.
type Input struct {
	ID          string
	Description string
	Default     string
	Options     []string // if it is one of a choice
	Password    bool     // it is not to be shown
}

// Variable is that of the environment that answers the input.
func (i *Input) Variable() string {
	return InputPrefix + strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, i.ID)
}

// InputPrefix is how the variables that answer inputs begin.
const InputPrefix = "MCPQ_INPUT_"

// InputError is an input that nobody answers.
type InputError struct{ Input Input }

func (e *InputError) Error() string {
	return fmt.Sprintf("there is no terminal to ask for the input %q on", e.Input.ID)
}

// input answers ${input:ID}: from the environment, or by asking, once for each.
func (f *filling) input(ctx context.Context, id string) (string, error) {
	if value, ok := f.inputs[id]; ok {
		return value, nil
	}
	in, err := f.entry.input(id)
	if err != nil {
		return "", err
	}
	value, set := f.Lookup(in.Variable())
	if set {
		err = in.check(value)
	} else {
		value, err = f.Input(ctx, f.entry, *in)
	}
	if err != nil {
		return "", err
	}
	f.inputs[id] = value
	// What a choice or a plain text is may be shown, as VS Code does.
	if in.Password {
		f.used = append(f.used, Pair{"password", value})
	}
	return value, nil
}

func (i *Input) check(value string) error {
	if len(i.Options) == 0 {
		return nil
	}
	for _, o := range i.Options {
		if o == value {
			return nil
		}
	}
	return fmt.Errorf("input %q: it can be %s", i.ID, strings.Join(i.Options, ", "))
}

// input is what the file says of one. One that it does not tell of, as in an
// entry that was copied from elsewhere, may be a secret.
func (e *Entry) input(id string) (*Input, error) {
	items, _ := rawjson.Items(e.inputs)
	for _, item := range items {
		m := rawjson.Members(item)
		text := func(key string) string {
			s, _ := rawjson.Unquote(m[key])
			return s
		}
		if text("id") != id {
			continue
		}
		in := &Input{ID: id, Description: text("description"), Default: text("default"), Password: string(m["password"]) == "true"}
		switch kind := text("type"); kind {
		case "promptString":
			return in, nil
		case "pickString":
			in.Options = readOptions(m["options"])
			return in, nil
		default:
			return nil, fmt.Errorf("input %q: the type %q is only known to VS Code", id, kind)
		}
	}
	if id == "" {
		return nil, errors.New("an input has no name")
	}
	return &Input{ID: id, Password: true}, nil
}

// readOptions reads the options of a choice: texts, or objects with a label and
// a value.
func readOptions(raw []byte) []string {
	items, _ := rawjson.Items(raw)
	var options []string
	for _, item := range items {
		if item[0] == '{' {
			item = rawjson.Members(item)["value"]
		}
		if text, ok := rawjson.Unquote(item); ok {
			options = append(options, text)
		}
	}
	return options
}
