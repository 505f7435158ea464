package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
)

// EndedError is the cause to give a call up with that the peer has ended on its
// own account: it is not told of that.
type EndedError struct{ Reason string }

func (e *EndedError) Error() string {
	if e.Reason == "" {
		return "ended by the server"
	}
	return "ended by the server: " + e.Reason
}

func endedByPeer(ctx context.Context) bool {
	var ended *EndedError
	return errors.As(context.Cause(ctx), &ended)
}

// Cancelled reads the parameters of notifications/cancelled.
func Cancelled(params json.RawMessage) (id ID, reason string, ok bool) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    string          `json:"reason"`
	}
	if json.Unmarshal(params, &p) != nil || p.RequestID == nil {
		return "", "", false
	}
	return ID(p.RequestID), p.Reason, true
}
