package output

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

// Filter is a compiled jq expression.
//
// It sees the document and its variables and nothing else: no files (import and
// include do not compile), no further inputs, and an empty $ENV, so that an
// expression out of somebody's file cannot read secrets.
//
// Objects and arrays the expression passes on untouched are printed as the
// server wrote them. Objects it builds or changes come with sorted keys, because gojq keeps
// no order. Numbers keep their spelling until something is computed with them.
type Filter struct {
	expr string
	file string // it was read from; "" if it was given
	code *gojq.Code
	vars []any
	from origins // the objects inside vars
}

// Var is a variable of a jq expression.
type Var struct {
	Name string // without the dollar sign
	JSON json.RawMessage
}

// FilterError reports a jq expression that cannot be compiled, or that failed
// on a document.
type FilterError struct {
	Expr   string
	File   string // it was read from; "" if it was given
	Msg    string
	Offset int // bytes before the place in Expr, -1 if the place is not known
	Line   int // from 1; 0 if the place is not known
	Column int // in characters, from 1; 0 if the place is not known
	Err    error
}

// Error is one line that shows the expression and points at the place.
func (e *FilterError) Error() string {
	shown := e.File
	if shown == "" {
		shown = quoteExpr(e.Expr)
	}
	if e.Offset < 0 {
		return fmt.Sprintf("jq: %s, in %s", e.Msg, shown)
	}
	where := fmt.Sprintf("column %d", e.Column)
	if strings.ContainsRune(e.Expr, '\n') {
		where = fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	}
	if e.Offset >= len(e.Expr) {
		return fmt.Sprintf("jq: %s at %s, the end of %s", e.Msg, where, shown)
	}
	return fmt.Sprintf("jq: %s at %s, in %s", e.Msg, where, shown)
}

// Unwrap returns the error of the jq implementation.
func (e *FilterError) Unwrap() error { return e.Err }

// quoteExpr shows an expression on one line, shortened if it is a program.
func quoteExpr(expr string) string {
	const most = 60
	expr = strings.Join(strings.Fields(expr), " ")
	if utf8.RuneCountInString(expr) > most {
		expr = string([]rune(expr)[:most]) + "..."
	}
	return "'" + expr + "'"
}

// CompileFilter compiles a jq expression. The error is a [*FilterError].
func CompileFilter(expr string, vars ...Var) (*Filter, error) {
	return CompileFilterFile("", expr, vars...)
}

// CompileFilterFile is [CompileFilter] for an expression out of a file, which
// errors name in its place.
func CompileFilterFile(file, expr string, vars ...Var) (*Filter, error) {
	f := &Filter{expr: expr, file: file, from: origins{}}
	query, err := gojq.Parse(expr)
	if err != nil {
		return nil, f.parseError(err)
	}
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = "$" + v.Name
		value, err := decode(v.JSON, f.from)
		if err != nil {
			return nil, f.fail(fmt.Errorf("variable $%s: %w", v.Name, err))
		}
		f.vars = append(f.vars, value)
	}
	f.code, err = gojq.Compile(query, gojq.WithVariables(names))
	if err != nil {
		e := f.fail(err)
		if at := undefined(expr, e.Msg); at >= 0 {
			e.point(at)
		}
		return nil, e
	}
	return f, nil
}

func (f *Filter) fail(err error) *FilterError {
	return &FilterError{Expr: f.expr, File: f.file, Msg: err.Error(), Offset: -1, Err: err}
}

func (f *Filter) parseError(err error) error {
	e := f.fail(err)
	var perr *gojq.ParseError
	if errors.As(err, &perr) {
		// gojq counts what it has read, so the token it trips over lies before.
		e.point(min(max(perr.Offset-len(perr.Token), 0), len(f.expr)))
	}
	return e
}

// point tells where in the expression the error is.
func (e *FilterError) point(at int) {
	before := e.Expr[:at]
	e.Offset = at
	e.Line = 1 + strings.Count(before, "\n")
	e.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

// undefined finds the place of the function or variable that a message of gojq
// says is not defined; -1 if it says nothing of the kind.
func undefined(expr, msg string) int {
	_, name, ok := strings.Cut(msg, "not defined: ")
	if !ok {
		return -1
	}
	name, _, _ = strings.Cut(name, "/")
	for from := 0; name != ""; {
		i := strings.Index(expr[from:], name)
		if i < 0 {
			break
		}
		i += from
		from = i + len(name)
		if !(i > 0 && inName(expr[i-1])) && !(from < len(expr) && inName(expr[from])) {
			return i
		}
	}
	return -1
}

// inName tells whether c next to a name makes it another one, a key or a
// variable.
func inName(c byte) bool {
	return c == '_' || c == '.' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Expr is the expression.
func (f *Filter) Expr() string { return f.expr }

// Last applies the filter to one document and gives the last value that it
// yields, as compact JSON; nil if there is none.
func (f *Filter) Last(ctx context.Context, doc json.RawMessage) (last json.RawMessage, err error) {
	err = f.run(ctx, doc, func(v filtered) error {
		last = v.json
		return nil
	})
	return last, err
}

// filtered is one value that a filter yielded.
type filtered struct {
	json     []byte // compact
	text     string // of a string
	isString bool
}

// run applies the filter to one document and hands each value to yield, whose
// error ends the run.
func (f *Filter) run(ctx context.Context, doc []byte, yield func(filtered) error) error {
	from := f.from.clone()
	input, err := decode(doc, from)
	if err != nil {
		return f.fail(err)
	}
	values := f.code.RunWithContext(ctx, input, f.vars...)
	for {
		v, ok := values.Next()
		if !ok {
			return nil
		}
		if err, ok := v.(error); ok {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return f.runError(err)
		}
		out := filtered{json: from.encode(nil, v)}
		out.text, out.isString = v.(string)
		if err := yield(out); err != nil {
			return err
		}
	}
}

// runError judges how a run ended: halt is no error, halt_error is one with the
// text the expression gave.
func (f *Filter) runError(err error) error {
	var halt *gojq.HaltError
	if !errors.As(err, &halt) {
		return f.fail(err)
	}
	if halt.Value() == nil {
		return nil
	}
	e := f.fail(err)
	if text, ok := halt.Value().(string); ok {
		e.Msg = strings.TrimSpace(text)
	} else {
		e.Msg = string(f.from.encode(nil, halt.Value()))
	}
	return e
}
