package mcp

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

// protocolSchema is the official schema of one version.
type protocolSchema struct {
	compiler *jsonschema.Compiler
	root     string            // of the definitions
	byMethod map[string]string // method -> name of the definition
}

// schemas reads the official schemas; nil when they are not there.
var schemas = sync.OnceValue(func() map[string]*protocolSchema {
	dir := os.Getenv("MCPQ_SCHEMA_DIR")
	if dir == "" {
		dir = filepath.FromSlash("../../shared/schema")
	}
	all := make(map[string]*protocolSchema)
	for _, version := range append(Versions(), tasksSchema) {
		data, err := os.ReadFile(filepath.Join(dir, version+".json"))
		if err != nil {
			return nil
		}
		all[version] = newProtocolSchema(data)
	}
	return all
})

// tasksSchema is the schema of the tasks extension of 2026-07-28.
const tasksSchema = "ext-tasks"

func newProtocolSchema(data []byte) *protocolSchema {
	type properties struct {
		Properties struct {
			Method struct{ Const string }
		}
	}
	type definition struct {
		properties
		AllOf []properties
	}
	var document struct {
		Definitions map[string]definition `json:"definitions"`
		Defs        map[string]definition `json:"$defs"`
	}
	must(json.Unmarshal(data, &document))
	s := &protocolSchema{compiler: jsonschema.NewCompiler(), root: "$defs", byMethod: make(map[string]string)}
	defs := document.Defs
	if defs == nil {
		s.root, defs = "definitions", document.Definitions
	}
	for name, def := range defs {
		for _, d := range append(def.AllOf, def.properties) {
			if method := d.Properties.Method.Const; method != "" {
				s.byMethod[method] = name
			}
		}
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	must(err)
	must(s.compiler.AddResource("mem:///schema.json", doc))
	return s
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (s *protocolSchema) check(t *testing.T, def string, data []byte) {
	t.Helper()
	schema, err := s.compiler.Compile("mem:///schema.json#/" + s.root + "/" + def)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("not a %s: %s\n%v", def, data, err)
	}
}

// TestSchemasPresent says when the messages of the transcripts are not checked.
func TestSchemasPresent(t *testing.T) {
	if schemas() == nil {
		t.Skip("no protocol schemas here; MCPQ_SCHEMA_DIR names their folder")
	}
}

// checkWire holds every message that the client sent in a transcript against
// the official schema of its version.
func checkWire(t *testing.T, version, wire string) {
	if schemas() == nil {
		return
	}
	asked := make(map[string]string) // id -> method of the server's requests
	for line := range strings.Lines(wire) {
		if len(line) < 3 || line[0] != '<' && line[0] != '>' {
			continue
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
			Params struct {
				Version string                     `json:"protocolVersion"`
				Meta    map[string]json.RawMessage `json:"_meta"`
			} `json:"params"`
		}
		data := []byte(line[2:])
		err := json.Unmarshal(data, &m)
		if line[0] == '<' {
			if err == nil && m.Method != "" {
				asked[string(m.ID)] = m.Method
			}
			continue
		}
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		s := schemas()[version]
		switch {
		case m.Params.Meta[metaVersion] != nil:
			s = schemas()[Version20260728]
		case m.Method == methodInitialize:
			s = schemas()[m.Params.Version]
			if version == Version20260728 {
				version = m.Params.Version // it has changed over to this one
			}
		}
		checkSent(t, s, data, m.ID, m.Method, asked[string(m.ID)], m.Result, m.Error)
	}
}

func checkSent(t *testing.T, s *protocolSchema, data, id []byte, method, answers string, result, rpcError []byte) {
	t.Helper()
	s.check(t, "JSONRPCMessage", data)
	switch {
	case method != "":
		kind := "JSONRPCRequest"
		if id == nil {
			kind = "JSONRPCNotification"
		}
		s.check(t, kind, data)
		if def := s.byMethod[method]; def != "" {
			s.check(t, def, data)
		} else if ext := schemas()[tasksSchema]; s == schemas()[Version20260728] && ext.byMethod[method] != "" {
			ext.check(t, ext.byMethod[method], data)
		} else if !strings.HasPrefix(method, "test/") {
			t.Errorf("the schema has no method %s", method)
		}
	case result != nil:
		def, known := map[string]string{
			"ping": "EmptyResult", methodRoots: "ListRootsResult",
			methodSample: "CreateMessageResult", methodElicit: "ElicitResult",
		}[answers]
		if !known {
			t.Errorf("answer to nothing, or to the unknown method %q: %s", answers, data)
			return
		}
		s.check(t, def, result)
	case rpcError == nil:
		t.Errorf("no request, notification or response: %s", data)
	}
}
