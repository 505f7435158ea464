package commands

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"mcpq/commands/args"
	"mcpq/commands/outfile"
	"mcpq/mcp"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
	"mcpq/output"
)

// The exit codes. This file is the only place that knows which error gets
// which.
const (
	exitDone     = 0
	exitNo       = 1
	exitUsage    = 2
	exitSession  = 3
	exitProtocol = 4
	exitRPC      = 5
	exitTool     = 6
	exitDenied   = 7
	exitTimeout  = 8
	exitBug      = 70
	exitPipe     = 141
	exitSignal   = 128 // plus the signal's number
)

// exitTable is the help topic on exit codes.
const exitTable = `  0                 done
  1 no              the answer is "no": with -e, the last value is false or null, or there
                    is none; diff found a breaking change; a step of check failed
  2 usage           bad flag, argument, URL, server name or jq expression; nothing was sent
                    (only later can show: a jq expression that fails on the result, -o FILE
                    for a result that is several files, and --elicit-data or --elicit accept
                    that does not fit the form asked for)
  3 session         no session: cannot start, connect or resolve; an HTTP error or something
                    that is no MCP server at the handshake; refused; no common protocol version
  4 protocol        the server broke the protocol or its own schema, died during a call,
                    gave an HTTP error after the handshake, sent more than --max-bytes, or
                    repeated a cursor (what had come is printed)
  5 rpc             the server answered with a JSON-RPC error, or lacks what was asked for
  6 tool            the tool ran and says isError (the result is printed), or its task was
                    cancelled or failed without a JSON-RPC error
  7 denied          not allowed: HTTP 401 or 403, a login that is needed or failed, metadata
                    of an authorization server that must not be used, --confirm without a
                    yes, a server of a project's config file that is not trusted
  8 timeout         out of time: --connect-timeout, --timeout or --max-time (the message
                    says which)
  70 internal       stdout or the file of -o cannot be written, as when a disk is full; or
                    a fault of mcpq: please report that
  129 interrupted   SIGHUP
  130 interrupted   SIGINT, as by Ctrl-C
  141 pipe          the reader of stdout went away
  143 interrupted   SIGTERM
`

// errorsText follows the table in the help topic.
const errorsText = `
A failure is told in one line on stderr, 'mcpq: …', and maybe one more, 'mcpq: hint: …'.
With --errors json it is one line of JSON instead, the last one of stderr:

  {"error":{"kind":"rpc","exit":5,"code":-32602,"message":"…","data":{…},"hint":"…"}}

kind is the word of the table, message what the other form says. code and data are those
of a JSON-RPC error, data as the server wrote it, and status is that of an HTTP error;
what does not apply is left out. Where -e or diff says no, and with 141, nothing is
written.
`

// UsageError is a mistake on the command line.
type UsageError struct {
	Err  error
	Hint string
}

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

func usagef(format string, a ...any) error { return &UsageError{Err: fmt.Errorf(format, a...)} }

// SignalError is a signal that ended the run.
type SignalError struct{ Signal syscall.Signal }

func (e *SignalError) Error() string {
	switch e.Signal {
	case syscall.SIGINT:
		return "interrupted"
	case syscall.SIGTERM:
		return "terminated"
	}
	return e.Signal.String()
}

// ToolFailedError is a tool that ran and says that it failed. Its result has
// been printed.
type ToolFailedError struct {
	Tool string
	Said string // the result; "" if it was not kept
}

func (e *ToolFailedError) Error() string { return fmt.Sprintf("tool %q failed", e.Tool) }

// OutputError is a result that does not fit the tool's outputSchema.
type OutputError struct {
	Tool string
	Err  error
}

func (e *OutputError) Error() string {
	return fmt.Sprintf("the result of tool %q does not fit its outputSchema: %v", e.Tool, e.Err)
}

func (e *OutputError) Unwrap() error { return e.Err }

// exitCode maps an error to its exit code. The order matters: a cancelled
// context also looks like a lost connection.
func exitCode(err error) int {
	var (
		signal    *SignalError
		timeout   *mcp.TimeoutError
		usage     *UsageError
		arg       *args.Error
		mcpArg    *mcp.ArgumentError
		filter    *output.FilterError
		write     *output.WriteError
		save      *SaveError
		refused   *RefusedError
		trust     *TrustError
		notListed *NotListedError
		auth      *transport.AuthError
		login     transport.AuthorizationError
		closed    *jsonrpc.ClosedError
		version   *mcp.VersionError
		shake     *mcp.HandshakeError
		rpc       *mcp.RPCError
		missing   *mcp.CapabilityError
		unknown   *mcp.UnknownToolError
		input     *mcp.InputRequiredError
		watch     *mcp.SubscriptionError
		gaveUp    *mcp.WatchError
		tool      *ToolFailedError
		no        *output.NoError
		breaking  *BreakingError
		checks    *FailedChecksError
		outcome   *OutputError
		protocol  *mcp.ProtocolError
	)
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &signal):
		return exitSignal + int(signal.Signal)
	case errors.Is(err, syscall.EPIPE) && errors.As(err, &write):
		return exitPipe
	case errors.As(err, &timeout):
		return exitTimeout
	case errors.As(err, &save):
		return exitOfSave(err)
	case errors.As(err, &usage), errors.As(err, &arg), errors.As(err, &mcpArg), errors.As(err, &filter):
		return exitUsage
	case errors.As(err, &write):
		return exitBug
	case errors.As(err, &login):
		return exitAuthorization(login)
	case errors.As(err, &refused), errors.As(err, &trust):
		return exitDenied
	case errors.As(err, &auth), isStore(err):
		return exitDenied
	case errors.As(err, &closed) && closed.OnlyNoise:
		return exitProtocol
	case errors.As(err, &gaveUp): // whatever it met in the end, there was a session
		return exitProtocol
	case errors.As(err, &version), errors.As(err, &shake), isConnect(err):
		return exitSession
	case errors.As(err, &rpc), errors.As(err, &missing), errors.As(err, &unknown), errors.As(err, &notListed), errors.As(err, &input), errors.As(err, &watch), noSuchSkill(err), noSuchTaskMethod(err):
		return exitRPC
	case errors.As(err, &tool), taskEnded(err):
		return exitTool
	case errors.As(err, &no), errors.As(err, &breaking), errors.As(err, &checks):
		return exitNo
	case errors.As(err, &outcome), errors.As(err, &protocol), isProtocol(err):
		return exitProtocol
	}
	return exitBug
}

// isProtocol reports whether err is a server that broke the rules or went away
// once there was a session.
func isProtocol(err error) bool {
	var (
		malformed *jsonrpc.MalformedError
		notJSON   *jsonrpc.NotJSONError
		tooLarge  *jsonrpc.TooLargeError
		closed    *jsonrpc.ClosedError
		ended     *transport.ExitError
		http      *transport.HTTPError
		content   *transport.ContentError
		broken    *transport.BrokenError
		cursor    *mcp.CursorError
		tool      *mcp.ToolError
		redirect  *transport.RedirectError
		skill     *mcp.SkillError
		overflow  *mcp.OverflowError
		over      *WatchEndedError
	)
	for _, target := range []any{&malformed, &notJSON, &tooLarge, &closed, &ended, &http, &content, &broken, &cursor, &tool, &redirect, &skill, &overflow, &over} {
		if errors.As(err, target) {
			return true
		}
	}
	return false
}

func isConnect(err error) bool {
	var connect *transport.ConnectError
	return errors.As(err, &connect)
}

// kindOf is the word for an exit code, for --errors json: every row of the
// table has one.
func kindOf(code int) string {
	switch code {
	case exitNo:
		return "no"
	case exitUsage:
		return "usage"
	case exitSession:
		return "session"
	case exitProtocol:
		return "protocol"
	case exitRPC:
		return "rpc"
	case exitTool:
		return "tool"
	case exitDenied:
		return "denied"
	case exitTimeout:
		return "timeout"
	case exitPipe:
		return "pipe"
	case exitBug:
		return "internal"
	}
	return "interrupted"
}

// saidByCode reports whether the exit code says everything about err: an answer
// that is "no" has been printed, and a reader that has gone away reads nothing.
func saidByCode(err error) bool {
	var (
		no       *output.NoError
		breaking *BreakingError
		write    *output.WriteError
	)
	return err == nil || errors.As(err, &no) || errors.As(err, &breaking) || errors.Is(err, syscall.EPIPE) && errors.As(err, &write)
}

// hint says what to do next, where that is known.
func hint(err error) string {
	var (
		usage     *UsageError
		notListed *NotListedError
		several   *outfile.SeveralError
		timeout   *mcp.TimeoutError
		auth      *transport.AuthError
		connect   *transport.ConnectError
		unknown   *mcp.UnknownToolError
		arg       *args.Error
		certify   *tls.CertificateVerificationError
		trust     *TrustError
	)
	if h := taskHint(err); h != "" {
		return h
	}
	switch {
	case errors.As(err, &usage):
		return usage.Hint
	case errors.As(err, &trust):
		return trust.hint()
	case errors.As(err, &several):
		return "-o DIR/ saves each in a file of its own"
	case loginHint(err) != "":
		return loginHint(err)
	case skillHint(err) != "":
		return skillHint(err)
	case errors.As(err, &notListed):
		return notListedHint(notListed)
	case errors.As(err, &unknown):
		if near := args.Nearest(unknown.Name, unknown.Known); len(near) > 0 {
			return fmt.Sprintf("did you mean %s?", strings.Join(near, " or "))
		}
		return "'mcpq list-tools' shows those it has; --no-validate calls one that is not listed"
	case errors.As(err, &arg) && arg.Bare:
		return bareHint(arg.Argument)
	case errors.As(err, &timeout):
		return fmt.Sprintf("--%s TIME allows more time", timeout.Limit)
	case errors.As(err, &auth):
		return "credentials go with MCPQ_TOKEN, --token-file or -H; 'mcpq auth login' is for servers with OAuth"
	case errors.As(err, &connect) && errors.Is(err, os.ErrNotExist):
		return "check the path and --cwd"
	case errors.As(err, &certify):
		return "--cacert FILE trusts another authority, -k any certificate"
	}
	return ""
}

// causeOf prefers the reason a context was ended for over what it led to.
func causeOf(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

func isNo(err error) bool {
	var no *output.NoError
	return errors.As(err, &no)
}
