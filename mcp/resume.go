package mcp

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"mcpq/mcp/transport"
)

// resume goes on with a session that was opened before, over another connection.
func (o *opening) resume(context.Context) (*session, error) {
	info := *o.options.Resume
	if !slices.Contains(StatefulVersions(), info.ProtocolVersion) {
		return nil, &VersionError{Wanted: StatefulVersions(), Supported: []string{info.ProtocolVersion},
			Err: errors.New("only sessions of the stateful era can be resumed")}
	}
	info.Era = Stateful
	e := newStateful(info.ProtocolVersion)
	o.use(e)
	return &session{era: e, info: &info, resumed: true}, nil
}

// forgotten reports whether err says that a server does not know the session
// that was resumed: some do not say so with 404, as they should.
func (s *session) forgotten(err error) bool {
	var status *transport.HTTPError
	return s.resumed && errors.As(err, &status) && status.Status == http.StatusBadRequest
}
