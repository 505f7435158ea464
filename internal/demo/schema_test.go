package demo

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas compiles the official schema of a version once and checks what the
// server sends against it.
type schemas struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	defs     string
	compiled map[string]*jsonschema.Schema
}

var loadSchemas = sync.OnceValue(func() map[string]*schemas {
	dir := os.Getenv("MCPQ_SCHEMA_DIR")
	if dir == "" {
		dir = "../../../shared/schema"
	}
	all := map[string]*schemas{}
	for _, v := range append(allVersions(), tasksSchema) {
		data, err := os.ReadFile(filepath.Join(dir, v+".json"))
		if err != nil {
			return nil
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return nil
		}
		s := &schemas{compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}, defs: "$defs"}
		if _, ok := doc.(map[string]any)["definitions"]; ok {
			s.defs = "definitions"
		}
		if err := s.compiler.AddResource("mem:///schema.json", doc); err != nil {
			return nil
		}
		all[v] = s
	}
	return all
})

// tasksSchema is the schema of the tasks extension of 2026-07-28.
const tasksSchema = "ext-tasks"

// TestSchemasPresent says plainly when the other tests check no schema.
func TestSchemasPresent(t *testing.T) {
	if loadSchemas() == nil {
		t.Skip("no protocol schemas (set MCPQ_SCHEMA_DIR): messages are not checked against them")
	}
}

// check validates data against a definition of a version's schema.
func checkSchema(t *testing.T, version, def string, data []byte) {
	t.Helper()
	s := loadSchemas()[version]
	if s == nil {
		return
	}
	s.mu.Lock()
	sch := s.compiled[def]
	if sch == nil {
		var err error
		if sch, err = s.compiler.Compile("mem:///schema.json#/" + s.defs + "/" + def); err != nil {
			s.mu.Unlock()
			t.Fatalf("schema %s has no %s: %v", version, def, err)
		}
		s.compiled[def] = sch
	}
	s.mu.Unlock()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("not JSON: %v: %s", err, data)
	}
	if err := sch.Validate(v); err != nil {
		t.Errorf("%s is not a valid %s of %s: %v", clip(data), def, version, err)
	}
}

func clip(b []byte) []byte { return b[:min(len(b), 600)] }

// checkMessage validates one message of the server; asked is the method that a
// response answers.
func checkMessage(t *testing.T, version, asked string, data []byte) {
	t.Helper()
	var m struct {
		ID     json.RawMessage
		Method string
		Result json.RawMessage
		Error  *struct{ Code int }
	}
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatalf("not JSON: %v: %s", err, clip(data))
	}
	modern := version == version2026July
	switch {
	case m.Method != "":
		def := map[string]string{
			"notifications/progress":                   "ProgressNotification",
			"notifications/message":                    "LoggingMessageNotification",
			"notifications/resources/updated":          "ResourceUpdatedNotification",
			"notifications/cancelled":                  "CancelledNotification",
			"notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
			"elicitation/create":                       "ElicitRequest",
			"notifications/tasks/status":               "TaskStatusNotification",
		}[m.Method]
		if m.Method == "notifications/tasks" {
			version, def = tasksSchema, "TaskStatusNotification"
		}
		if def == "" {
			t.Fatalf("unexpected message %s", clip(data))
		}
		checkSchema(t, version, def, data)
	case m.Error != nil:
		def := "JSONRPCError"
		if version >= version2025November {
			def = "JSONRPCErrorResponse"
		}
		if modern {
			switch m.Error.Code {
			case codeVersion:
				def = "UnsupportedProtocolVersionError"
			case codeMissingCapability:
				def = "MissingRequiredClientCapabilityError"
			case codeHeaderMismatch:
				def = "HeaderMismatchError"
			}
		}
		checkSchema(t, version, def, data)
	default:
		def := "JSONRPCResponse"
		if version >= version2025November {
			def = "JSONRPCResultResponse"
		}
		checkSchema(t, version, def, data)
		def = map[string]string{
			"initialize": "InitializeResult", "ping": "EmptyResult", "tools/list": "ListToolsResult", "tools/call": "CallToolResult",
			"resources/list": "ListResourcesResult", "resources/templates/list": "ListResourceTemplatesResult", "resources/read": "ReadResourceResult",
			"resources/subscribe": "EmptyResult", "resources/unsubscribe": "EmptyResult", "logging/setLevel": "EmptyResult",
			"prompts/list": "ListPromptsResult", "prompts/get": "GetPromptResult", "completion/complete": "CompleteResult",
			"server/discover": "DiscoverResult", "subscriptions/listen": "SubscriptionsListenResult",
			"tasks/list": "ListTasksResult", "tasks/get": "GetTaskResult", "tasks/update": "UpdateTaskResult",
			"tasks/cancel": "CancelTaskResult", "tasks/result": "CallToolResult",
		}[asked]
		if created(version, m.Result) {
			def = "CreateTaskResult"
		}
		if modern && (strings.HasPrefix(asked, "tasks/") || def == "CreateTaskResult") {
			checkSchema(t, tasksSchema, def, m.Result)
			return
		}
		if modern && bytes.Contains(m.Result, []byte(`"input_required"`)) {
			def = "InputRequiredResult"
		}
		if def == "" {
			t.Fatalf("a result for the method %q", asked)
		}
		checkSchema(t, version, def, m.Result)
	}
}

// created reports whether a result is a task that was made.
func created(version string, raw json.RawMessage) bool {
	var v struct {
		ResultType string
		Task       json.RawMessage
	}
	if json.Unmarshal(raw, &v) != nil {
		return false
	}
	return version == version2026July && v.ResultType == "task" || version == version2025November && v.Task != nil
}
