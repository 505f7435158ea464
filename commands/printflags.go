package commands

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"mcpq/internal/rawjson"
	"mcpq/output"
)

// PrintFlags say how results are printed.
type PrintFlags struct {
	JQ         *string      `name:"jq" short:"q" placeholder:"EXPR" xor:"jq" group:"output" help:"Filter the result with a jq expression (see 'mcpq help jq')."`
	JQFile     string       `name:"jq-file" placeholder:"FILE" xor:"jq" group:"output" help:"Filter the result with the jq program in FILE."`
	JQArg      []string     `name:"jq-arg" sep:"none" placeholder:"NAME=TEXT" group:"output" help:"Set the variable $$NAME of the jq expression to a string."`
	JQArgJSON  []string     `name:"jq-argjson" sep:"none" placeholder:"NAME=JSON" group:"output" help:"Set the variable $$NAME of the jq expression to a JSON value."`
	Raw        bool         `short:"r" group:"output" help:"Print strings that --jq gives without quotes."`
	ExitStatus bool         `short:"e" group:"output" help:"Exit with 1 when the last value printed is false or null, or when there is none."`
	Format     string       `placeholder:"FORMAT" group:"output" help:"Print as ${formats}; see 'mcpq help formats'."`
	Compact    bool         `short:"c" xor:"layout" group:"output" help:"Print JSON on one line, on a terminal too."`
	Pretty     bool         `xor:"layout" group:"output" help:"Print indented JSON, into a pipe too."`
	Color      output.Color `enum:"auto,always,never" default:"auto" placeholder:"WHEN" group:"output" help:"Colour the output: auto, always or never."`
}

// options checks the flags; a jq expression is compiled here, before any
// server is started.
func (p *PrintFlags) options(env *Env) (output.Options, error) {
	o := output.Options{
		Color:      colourOf(p.Color, env.Getenv),
		Raw:        p.Raw,
		ExitStatus: p.ExitStatus,
		NoColorEnv: noColor(env),
		Columns:    columns(env),
	}
	var err error
	if o.Format, err = output.ParseFormat(p.Format); err != nil {
		return o, unknownChoice("--format", p.Format, output.Formats())
	}
	if env.OutTTY {
		o.Images = output.ImagesOf(env.Getenv)
	}
	switch {
	case p.Compact:
		o.Layout = output.LayoutCompact
	case p.Pretty && o.Format != output.FormatJSON:
		return o, usagef("--pretty lays out JSON: it does not go with --format %s", o.Format)
	case p.Pretty:
		o.Layout = output.LayoutPretty
	}
	if p.Raw && !p.filters() {
		return o, usagef("-r prints the strings of a filter: it needs --jq")
	}
	o.Filter, err = p.filter()
	return o, err
}

func (p *PrintFlags) filters() bool { return p.JQ != nil || p.JQFile != "" }

// filter compiles the jq expression; nil if there is none.
func (p *PrintFlags) filter() (*output.Filter, error) {
	vars, err := p.variables()
	switch {
	case err != nil:
		return nil, err
	case p.JQ != nil:
		return output.CompileFilter(*p.JQ, vars...)
	case p.JQFile != "":
		program, err := os.ReadFile(p.JQFile)
		if err != nil {
			return nil, usagef("--jq-file: %w", err)
		}
		return output.CompileFilterFile(p.JQFile, string(program), vars...)
	case len(vars) > 0:
		return nil, usagef("--jq-arg and --jq-argjson set variables of a filter: they need --jq or --jq-file")
	}
	return nil, nil
}

// variables are those of the jq expression. Of two with the same name the last
// one counts.
func (p *PrintFlags) variables() ([]output.Var, error) {
	var vars []output.Var
	add := func(flag, pair string, value func(string) ([]byte, error)) error {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || !isVariable(name) {
			return usagef("bad %s %q: write NAME=VALUE, the name of letters, digits and _", flag, pair)
		}
		raw, err := value(text)
		if err != nil {
			return usagef("%s %s: %w", flag, name, err)
		}
		for i, v := range vars {
			if v.Name == name {
				vars = append(vars[:i], vars[i+1:]...)
				break
			}
		}
		vars = append(vars, output.Var{Name: name, JSON: raw})
		return nil
	}
	for _, pair := range p.JQArg {
		if err := add("--jq-arg", pair, func(s string) ([]byte, error) { return rawjson.Quote(s), nil }); err != nil {
			return nil, err
		}
	}
	for _, pair := range p.JQArgJSON {
		err := add("--jq-argjson", pair, func(s string) ([]byte, error) {
			raw, err := rawjson.Compact([]byte(s))
			if err != nil {
				return nil, fmt.Errorf("not JSON: %w", err)
			}
			return raw, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return vars, nil
}

func isVariable(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// noColor tells whether the environment asks for output without colours.
func noColor(env *Env) bool { return env.Getenv("NO_COLOR") != "" || env.Getenv("TERM") == "dumb" }

// terminalColour tells whether a terminal that a person is spoken to on, beside
// the results, gets colours. There is nothing to be forced: what is no terminal
// gets none.
func terminalColour(c output.Color, env *Env) bool {
	switch colourOf(c, env.Getenv) {
	case output.ColorAlways:
		return true
	case output.ColorNever:
		return false
	}
	return !noColor(env)
}

// colourOf is what --color says, or for auto the environment: CLICOLOR_FORCE
// wants colours everywhere and CLICOLOR=0 none, but NO_COLOR has precedence.
func colourOf(c output.Color, getenv func(string) string) output.Color {
	if c != output.ColorAuto || getenv("NO_COLOR") != "" {
		return c
	}
	if force := getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return output.ColorAlways
	}
	if getenv("CLICOLOR") == "0" {
		return output.ColorNever
	}
	return c
}

// columns is how wide a table may be: as COLUMNS says, else as the terminal is,
// else as it likes.
func columns(env *Env) int {
	if n, err := strconv.Atoi(env.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if env.OutTTY && env.Width != nil {
		return env.Width()
	}
	return 0
}
