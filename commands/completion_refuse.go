package commands

import (
	"context"
	"encoding/json"
	"errors"

	"mcpq/mcp"
	"mcpq/mcp/auth"
)

// errUnattended is what a server gets that asks something while a line is
// completed.
var errUnattended = errors.New("nobody is asked while a command line is completed")

// refuseAll leaves declared what was declared, but has nobody answer.
func refuseAll(h *mcp.Handlers) {
	cancelled := func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"action":"cancel"}`), nil
	}
	if h.Elicit != nil {
		h.Elicit = cancelled
	}
	if h.ElicitURL != nil {
		h.ElicitURL = cancelled
	}
	if h.AwaitVisits != nil {
		h.AwaitVisits = func(context.Context, <-chan struct{}) (bool, error) { return false, nil }
	}
	if h.Sample != nil {
		h.Sample = func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, errUnattended }
	}
}

// readOnly is a store of credentials in which nothing is changed. So no token is
// renewed either: a completion ends too soon to be sure that the new one is
// stored when the old one has become invalid.
type readOnly struct{ auth.Store }

// Update changes nothing.
func (readOnly) Update(context.Context, string, func([]byte) ([]byte, error)) error {
	return errUnattended
}
