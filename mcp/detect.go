package mcp

import (
	"context"
	"errors"
	"slices"
	"time"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// opening finds out the era of a server (2026-07-28, basic/versioning and the
// backward compatibility sections of both transports): it is asked for
// server/discover; what it makes of that tells.
type opening struct {
	conn    transport.Conn
	options *Options
	use     func(era) // makes an era's headers those of the connection
}

// session is what opening gives.
type session struct {
	era  era
	info *ServerInfo
}

func (o *opening) open(ctx context.Context) (*session, error) {
	pin := o.options.Version
	switch {
	case pin == "":
		return o.detect(ctx)
	case slices.Contains(StatefulVersions(), pin):
		return o.stateful(ctx, pin, true)
	case slices.Contains(StatelessVersions(), pin):
		e, err := newStateless(pin, o.options)
		if err != nil {
			return nil, err
		}
		info, err := discover(ctx, o.conn, e)
		return o.stateless(e, info, err)
	}
	return nil, &VersionError{Wanted: []string{pin}, Err: errors.New("this client does not know that version")}
}

// greet opens a session of the stateful era without a probe.
func (o *opening) greet(ctx context.Context) (*session, error) {
	return o.stateful(ctx, LatestStateful, false)
}

func (o *opening) stateful(ctx context.Context, offer string, pinned bool) (*session, error) {
	info, err := initialize(ctx, o.conn, o.options, offer, pinned)
	if err != nil {
		return nil, err
	}
	e := newStateful(info.ProtocolVersion)
	o.use(e)
	if err := o.conn.Notify(ctx, &transport.Outgoing{Method: "notifications/initialized"}); err != nil {
		return nil, &HandshakeError{Method: "notifications/initialized", Err: err}
	}
	return &session{era: e, info: info}, nil
}

// stateless judges the answer to a discovery from which there is no way back.
func (o *opening) stateless(e *stateless, info *ServerInfo, err error) (*session, error) {
	if err != nil {
		var rpc *jsonrpc.Error
		if errors.As(err, &rpc) {
			if supported := supportedVersions(rpc); supported != nil {
				return nil, &VersionError{Wanted: []string{e.chosen}, Supported: supported, Err: err}
			}
		}
		return nil, &HandshakeError{Method: "server/discover", Err: err}
	}
	if !slices.Contains(info.SupportedVersions, e.chosen) {
		return nil, &VersionError{Wanted: []string{e.chosen}, Supported: info.SupportedVersions}
	}
	o.use(e)
	return &session{era: e, info: info}, nil
}

type discovery struct {
	info *ServerInfo
	err  error
}

// detect probes the server. One that stays silent is offered initialize as
// well, and the first good answer decides.
func (o *opening) detect(ctx context.Context) (*session, error) {
	e, err := newStateless(LatestStateless, o.options)
	if err != nil {
		return nil, err
	}
	probing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	answer := make(chan discovery, 1)
	go func() {
		info, err := discover(probing, o.conn, e)
		answer <- discovery{info, err}
	}()
	patience := time.NewTimer(o.options.ProbeTimeout)
	defer patience.Stop()
	select {
	case d := <-answer:
		return o.judge(ctx, e, d)
	case <-patience.C:
	}

	type opened struct {
		s   *session
		err error
	}
	handshake, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	greeting := make(chan opened, 1)
	go func() {
		s, err := o.stateful(handshake, LatestStateful, false)
		greeting <- opened{s, err}
	}()
	select {
	case g := <-greeting:
		if g.err == nil || ctx.Err() != nil {
			stop(nil)
			<-answer // the probe's goroutine ends with its context
			return g.s, g.err
		}
		// A slow server of the stateless era refuses initialize.
		d := <-answer
		if d.err != nil {
			return nil, g.err
		}
		return o.stateless(e, d.info, nil)
	case d := <-answer:
		if d.err == nil {
			giveUp(nil)
			if g := <-greeting; g.err == nil {
				return g.s, nil // both were answered, and this one opened a session
			}
			return o.stateless(e, d.info, nil)
		}
		g := <-greeting
		return g.s, g.err
	}
}

// judge decides by the answer to the probe.
func (o *opening) judge(ctx context.Context, e *stateless, d discovery) (*session, error) {
	var supported []string
	var rpc *jsonrpc.Error
	switch {
	case d.err == nil:
		supported = d.info.SupportedVersions
	case ctx.Err() != nil:
		return nil, &HandshakeError{Method: "server/discover", Err: d.err}
	case errors.As(d.err, &rpc) && isModern(rpc):
		supported = supportedVersions(rpc)
		if supported == nil {
			return nil, &HandshakeError{Method: "server/discover", Err: d.err}
		}
	case fatal(d.err):
		return nil, &HandshakeError{Method: "server/discover", Err: d.err}
	default:
		return o.stateful(ctx, LatestStateful, false)
	}
	if slices.Contains(supported, e.chosen) {
		if d.err != nil { // it refused a version that it lists: ask once more
			d.info, d.err = discover(ctx, o.conn, e)
		}
		return o.stateless(e, d.info, d.err)
	}
	if v := newest(StatefulVersions(), supported); v != "" {
		return o.stateful(ctx, v, false)
	}
	return nil, &VersionError{Wanted: Versions(), Supported: supported, Err: d.err}
}

// fatal reports whether a failed probe says that there is nothing to open,
// rather than that the server is of the stateful era.
func fatal(err error) bool {
	var auth *transport.AuthError
	var connect *transport.ConnectError
	var redirect *transport.RedirectError
	var content *transport.ContentError
	var closed *jsonrpc.ClosedError
	var http *transport.HTTPError
	switch {
	case errors.As(err, &auth), errors.As(err, &connect), errors.As(err, &redirect),
		errors.As(err, &content), errors.As(err, &closed):
		return true
	case errors.As(err, &http):
		return http.Status < 400 || http.Status > 499
	}
	return false
}
