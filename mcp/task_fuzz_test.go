package mcp

import (
	"encoding/json"
	"testing"
)

// Whatever a server says of a task is either a task or an error.
func FuzzParseTask(f *testing.F) {
	f.Add([]byte(`{"taskId":"t","status":"working","ttl":null,"pollInterval":1e300}`))
	f.Add([]byte(`{"taskId":"t","status":"failed","ttlMs":-1,"error":{"code":1,"message":"m"}}`))
	f.Add([]byte(`{"taskId":"t","status":"completed","result":null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		task, err := parseTask("tasks/get", raw)
		if err != nil {
			return
		}
		if task.ID == "" || !json.Valid(task.Raw) || task.PollInterval < 0 || task.TTL != nil && *task.TTL < 0 {
			t.Errorf("%s became %+v", raw, task)
		}
		if !task.Final() && task.Status != TaskWorking && task.Status != TaskInputRequired {
			t.Errorf("status %q", task.Status)
		}
	})
}
