package check

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"mcpq/output"
)

// Answer is what came of a step's operation: a result, a JSON-RPC error, or
// neither.
type Answer struct {
	Result  json.RawMessage // also of a tool that failed, or one that does not fit its schema
	IsError bool            // the tool says that it failed

	Error   json.RawMessage // the JSON-RPC error as an object
	Code    json.Number
	Message string

	Failed error // what went wrong otherwise
}

// Outcome is how a step went.
type Outcome struct {
	Step    *Step
	Problem string          // "" if all was as expected
	Got     json.RawMessage // the result or error, when there was a problem with it
	Took    time.Duration
	Skipped bool // it was not tried
}

// Passed tells whether all was as expected.
func (o *Outcome) Passed() bool { return o.Problem == "" && !o.Skipped }

// Judge holds an answer against what is expected.
func (s *Step) Judge(ctx context.Context, a *Answer, took time.Duration) *Outcome {
	o := &Outcome{Step: s, Took: took}
	doc := a.Result
	if a.Error != nil {
		doc = a.Error
	}
	if o.Problem = s.kind(a); o.Problem == "" && s.Operation.Notify {
		return o
	}
	for _, f := range s.Expect {
		if o.Problem != "" {
			break
		}
		o.Problem = expectation(ctx, f, doc)
	}
	if o.Problem != "" {
		o.Got = doc
	}
	return o
}

// kind tells what is wrong about the kind of an answer.
func (s *Step) kind(a *Answer) string {
	switch {
	case a.Failed != nil:
		return a.Failed.Error()
	case a.Error != nil && !s.Error:
		return fmt.Sprintf("the server answered with error %s: %s", a.Code, a.Message)
	case a.Error != nil && s.Code != "" && a.Code != s.Code:
		return fmt.Sprintf("the server answered with error %s instead of %s: %s", a.Code, s.Code, a.Message)
	case a.Error != nil:
		return ""
	case s.Error:
		return "the server answered with a result instead of an error"
	case a.IsError && !s.IsError:
		return "the tool says that it failed"
	case s.IsError && !a.IsError:
		return "the tool does not say that it failed"
	}
	return ""
}

// expectation tells what is wrong with what one expression yields. As with
// --exit-status it is the last value that counts.
func expectation(ctx context.Context, f *output.Filter, doc json.RawMessage) string {
	last, err := f.Last(ctx, doc)
	switch {
	case err != nil:
		return err.Error()
	case last == nil:
		return fmt.Sprintf("%s gives no value", f.Expr())
	case string(last) == "false", string(last) == "null":
		return fmt.Sprintf("%s is %s", f.Expr(), last)
	}
	return ""
}
