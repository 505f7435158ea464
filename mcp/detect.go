package mcp

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// opening finds out the era of a server (2026-07-28, basic/versioning and the
// backward compatibility sections of both transports): it is asked for
// server/discover; what it makes of that tells.
type opening struct {
	conn    transport.Conn
	options *Options
	use     func(era)    // makes an era's headers those of the connection
	step    func(string) // is told what is being done
}

// openFunc is one way of opening a session.
type openFunc func(*opening, context.Context) (*session, error)

// session is what opening gives.
type session struct {
	era      era
	info     *ServerInfo
	recalled bool // it stands on what was remembered alone
	resumed  bool // it was opened over another connection

	lacking sync.Map // method -> what lacks says of it
}

// lacks tells what the server had to declare for a request and did not.
func (s *session) lacks(r *Request) error {
	need := s.era.capability(r.Method)
	if need == nil {
		return nil
	}
	found, known := s.lacking.Load(r.Method)
	if !known {
		var missing *CapabilityError
		if !s.info.Has(need...) {
			missing = &CapabilityError{Method: r.Method, Capability: joinPath(need)}
		}
		found, _ = s.lacking.LoadOrStore(r.Method, missing)
	}
	if missing := found.(*CapabilityError); missing != nil {
		return missing
	}
	return nil
}

// ask opens a session without anything that is remembered.
func (o *opening) ask(ctx context.Context) (*session, error) {
	switch pin := o.options.Version; {
	case pin == "":
		s, err := o.detect(ctx)
		return o.learn(s, err)
	case slices.Contains(StatefulVersions(), pin):
		return o.stateful(ctx, pin, true)
	default:
		return o.stateless(ctx, pin)
	}
}

// greet opens a session of the stateful era without a probe.
func (o *opening) greet(ctx context.Context) (*session, error) {
	return o.stateful(ctx, LatestStateful, false)
}

// stateful shakes hands. A server may answer with another version than the one
// offered, unless that is pinned; one that refuses instead and names versions
// is offered one of them.
func (o *opening) stateful(ctx context.Context, offer string, pinned bool) (*session, error) {
	o.step(methodInitialize)
	info, err := initialize(ctx, o.conn, o.options, offer, pinned)
	var refused *VersionError
	if errors.As(err, &refused) && !pinned {
		if v := newest(StatefulVersions(), refused.Supported); v != "" && v != offer {
			info, err = initialize(ctx, o.conn, o.options, v, pinned)
		}
	}
	if err != nil {
		return nil, err
	}
	e := newStateful(info.ProtocolVersion)
	o.use(e)
	o.step(methodInitialized)
	if err := o.conn.Notify(ctx, &transport.Outgoing{Method: methodInitialized}); err != nil {
		return nil, &HandshakeError{Method: methodInitialized, Err: err}
	}
	return &session{era: e, info: info}, nil
}

// stateless opens a session of the stateless era, with no way back.
func (o *opening) stateless(ctx context.Context, version string) (*session, error) {
	e, err := newStateless(version, o.options)
	if err != nil {
		return nil, err
	}
	o.step(methodDiscover)
	info, err := o.discover(ctx, e)
	return o.agree(e, info, err)
}

// agree judges the answer to a discovery from which there is no way back.
func (o *opening) agree(e *stateless, info *ServerInfo, err error) (*session, error) {
	if err != nil {
		var rpc *jsonrpc.Error
		if errors.As(err, &rpc) {
			if supported := supportedVersions(rpc); supported != nil {
				return nil, &VersionError{Wanted: []string{e.chosen}, Supported: supported, Err: err}
			}
		}
		return nil, &HandshakeError{Method: methodDiscover, Err: err}
	}
	if !slices.Contains(info.SupportedVersions, e.chosen) {
		return nil, &VersionError{Wanted: []string{e.chosen}, Supported: info.SupportedVersions}
	}
	o.use(e)
	return &session{era: e, info: info}, nil
}

// choose opens a session with the newest version that both sides know.
func (o *opening) choose(ctx context.Context, supported []string, refusal error) (*session, error) {
	if v := newest(StatelessVersions(), supported); v != "" {
		return o.stateless(ctx, v)
	}
	if v := newest(StatefulVersions(), supported); v != "" {
		return o.stateful(ctx, v, false)
	}
	return nil, &VersionError{Wanted: Versions(), Supported: supported, Err: refusal}
}

// judge decides by the answer to the probe.
func (o *opening) judge(ctx context.Context, e *stateless, d discovery) (*session, error) {
	var rpc *jsonrpc.Error
	switch {
	case d.err == nil && slices.Contains(d.info.SupportedVersions, e.chosen):
		return o.agree(e, d.info, nil)
	case d.err == nil:
		return o.choose(ctx, d.info.SupportedVersions, nil)
	case errors.As(d.err, &rpc) && isModern(rpc):
		if supported := supportedVersions(rpc); supported != nil {
			return o.choose(ctx, supported, d.err)
		}
		return nil, &HandshakeError{Method: methodDiscover, Err: d.err}
	case fatal(d.err):
		return nil, &HandshakeError{Method: methodDiscover, Err: d.err}
	}
	s, err := o.greet(ctx)
	var failed *HandshakeError
	if errors.As(err, &failed) && (rpc == nil || rpc.Code != jsonrpc.CodeMethodNotFound) {
		failed.Probe = d.err // it says more than that there is no such method
	}
	return s, err
}

// fatal reports whether a failed probe says that there is nothing to open,
// rather than that the server is of the stateful era. An HTTP status is taken
// as the latter unless it is one that gateways make up: servers that know no
// server/discover answer with much else.
func fatal(err error) bool {
	var auth *transport.AuthError
	var denied transport.AuthorizationError
	var connect *transport.ConnectError
	var redirect *transport.RedirectError
	var content *transport.ContentError
	var closed *jsonrpc.ClosedError
	var answer *transport.HTTPError
	switch {
	case errors.As(err, &auth), errors.As(err, &denied), errors.As(err, &connect), errors.As(err, &redirect),
		errors.As(err, &content), errors.As(err, &closed):
		return true
	case errors.As(err, &answer):
		switch answer.Status {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		}
		return answer.Status < 400
	}
	return false
}
