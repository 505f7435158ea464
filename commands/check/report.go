package check

import (
	"encoding/json"
	"strconv"

	"mcpq/internal/rawjson"
)

// JSON is the report as a document:
//
//	{"ok","passed","failed","skipped","steps":[{"file","line"?,"name","ok","skipped"?,"seconds","problem"?,"got"?}]}
func JSON(outcomes []*Outcome) json.RawMessage {
	t := count(outcomes)
	steps := make([]json.RawMessage, len(outcomes))
	for i, o := range outcomes {
		steps[i] = o.json()
	}
	return rawjson.Object{}.
		Set("ok", boolean(t.failed+t.skipped == 0)).
		Set("passed", number(t.all-t.failed-t.skipped)).
		Set("failed", number(t.failed)).
		Set("skipped", number(t.skipped)).
		Set("steps", rawjson.Array(steps)).Raw()
}

func (o *Outcome) json() json.RawMessage {
	object := rawjson.Object{}.Set("file", rawjson.Quote(o.Step.File))
	if o.Step.Line > 0 {
		object = object.Set("line", number(o.Step.Line))
	}
	object = object.Set("name", rawjson.Quote(o.Step.Name)).Set("ok", boolean(o.Passed()))
	if o.Skipped {
		object = object.Set("skipped", boolean(true))
	}
	object = object.Set("seconds", json.RawMessage(seconds(o.Took)))
	if o.Problem != "" {
		object = object.Set("problem", rawjson.Quote(o.Problem))
	}
	if o.Got != nil {
		object = object.Set("got", o.Got)
	}
	return object.Raw()
}

func boolean(b bool) json.RawMessage { return strconv.AppendBool(nil, b) }
func number(n int) json.RawMessage   { return strconv.AppendInt(nil, int64(n), 10) }
