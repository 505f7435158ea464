package mcp

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// current is the session that a request belongs to. One that is being opened
// anew is waited for.
func (c *Client) current(ctx context.Context) (*session, error) {
	select {
	case c.renewal <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s := c.session.Load()
	<-c.renewal
	return s, nil
}

// renew opens a session in place of the one given, which failed; another call
// may have done so already.
func (c *Client) renew(ctx context.Context, failed *session, open openFunc) error {
	select {
	case c.renewal <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-c.renewal }()
	if c.session.Load() != failed {
		return nil
	}
	ctx, limit := newLimit(ctx, c.options.ConnectTimeout, "connect-timeout", "a new handshake")
	defer limit.stop()
	// What opens a session carries no header of the one before.
	headers := c.headers.Swap(nil)
	err := c.start(ctx, limit, open)
	if err != nil {
		c.headers.Store(headers)
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return err
	}
	c.watches.renewed()
	return nil
}

// recovery is what was done already to save a request; nothing is done twice.
type recovery struct {
	session, version bool
	consent          consent
}

// recover mends what made a request fail, where the server has not begun with
// it and another try has a chance. It reports whether to try again.
func (c *Client) recover(ctx context.Context, s *session, r *Request, err error, done *recovery) (bool, error) {
	if s.recalled && dubious(err) {
		return c.doubt(ctx, s, r.Method, err)
	}
	var lost *transport.SessionError
	if (errors.As(err, &lost) || s.forgotten(err)) && !done.session {
		done.session = true
		return true, c.renew(ctx, s, func(o *opening, ctx context.Context) (*session, error) {
			return o.stateful(ctx, s.era.version(), c.options.Version != "")
		})
	}
	var status *transport.HTTPError
	if errors.As(err, &status) && (status.Status == http.StatusNotFound || status.Status == http.StatusBadRequest) && !done.session {
		// It may have gone out while the session was opened anew, and so
		// without one.
		now, err := c.current(ctx)
		if err != nil || now != s {
			done.session = true
			return true, err
		}
	}
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) {
		return false, nil
	}
	switch rpc.Code {
	case codeUnsupportedVersion:
		supported := supportedVersions(rpc)
		if done.version || supported == nil || slices.Contains(supported, s.era.version()) {
			return false, nil
		}
		done.version = true
		return true, c.changeVersion(ctx, s, supported, err)
	case codeURLRequired:
		if !s.era.features().urlRequired || c.options.Handlers.ElicitURL == nil {
			return false, nil
		}
		return c.consent(ctx, r, rpc, &done.consent)
	}
	return false, nil
}

// changeVersion takes another version because the server refused the one that
// was agreed on (2026-07-28, basic/versioning).
func (c *Client) changeVersion(ctx context.Context, s *session, supported []string, refusal error) error {
	if c.options.Version != "" {
		return &VersionError{Wanted: []string{c.options.Version}, Supported: supported, Err: refusal}
	}
	return c.renew(ctx, s, func(o *opening, ctx context.Context) (*session, error) {
		o.forget(s.era)
		session, err := o.choose(ctx, supported, refusal)
		return o.learn(session, err)
	})
}
