package mcp

import (
	"context"
	"time"
)

type discovery struct {
	info *ServerInfo
	err  error
}

type greeting struct {
	session *session
	err     error
}

// detect probes the server. One that stays silent is greeted as well: it may
// be one of the stateful era that ignores what it does not know, or one that
// takes its time to start, and then answers both.
func (o *opening) detect(ctx context.Context) (*session, error) {
	e, err := newStateless(LatestStateless, o.options)
	if err != nil {
		return nil, err
	}
	o.step(methodDiscover)
	probing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	probe := make(chan discovery, 1)
	go func() {
		info, err := o.discover(probing, e)
		probe <- discovery{info, err}
	}()
	patience := time.NewTimer(o.options.ProbeTimeout)
	defer patience.Stop()
	select {
	case d := <-probe:
		return o.judge(ctx, e, d)
	case <-patience.C:
	}
	s, err := o.detectSilent(ctx, e, probe)
	if s != nil && s.era != era(e) {
		stop(nil) // a late answer to the probe is dropped
		<-probe
	}
	return s, err
}

// detectSilent greets a server that has not answered the probe yet. The first
// good answer decides; if there is none, the one that says most.
func (o *opening) detectSilent(ctx context.Context, e *stateless, probe chan discovery) (*session, error) {
	greeted, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	greetings := make(chan greeting, 1)
	step := o.step
	step(methodDiscover + " and " + methodInitialize)
	quiet := *o
	quiet.step = func(string) {}
	go func() {
		s, err := quiet.greet(greeted)
		greetings <- greeting{s, err}
	}()

	select {
	case g := <-greetings:
		if g.err == nil || ctx.Err() != nil {
			return g.session, g.err
		}
		// A slow server of the stateless era refuses initialize, and has
		// the answer to the probe in the making.
		late := time.NewTimer(o.options.ProbeTimeout)
		defer late.Stop()
		select {
		case d := <-probe:
			probe <- d
			return o.lateAnswer(ctx, e, d, g)
		case <-late.C:
			return nil, g.err
		}
	case d := <-probe:
		probe <- d // for who waits for the probe's end
		if d.err == nil || ctx.Err() == nil && isModernError(d.err) {
			giveUp(nil)
			if g := <-greetings; g.err == nil {
				return g.session, nil // it had answered both
			}
			return o.judge(ctx, e, d)
		}
		return o.lateAnswer(ctx, e, d, <-greetings)
	}
}

// lateAnswer decides between two answers, of which the greeting's came late or
// is no session.
func (o *opening) lateAnswer(ctx context.Context, e *stateless, d discovery, g greeting) (*session, error) {
	switch {
	case g.err == nil:
		return g.session, nil
	case d.err == nil, isModernError(d.err), fatal(d.err):
		return o.judge(ctx, e, d)
	}
	return nil, g.err
}
