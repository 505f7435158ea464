package commands

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"mcpq/commands/servers"
	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// TransportFlags say how messages get to the server and back, where that is
// not found out.
type TransportFlags struct {
	Transport string `enum:"auto,stdio,http,sse" default:"auto" placeholder:"NAME" group:"server" help:"Insist on a transport: stdio for a command; http or sse (that of 2024-11-05) for a URL."`
	Framing   string `enum:",newline,content-length" default:"" placeholder:"HOW" group:"server" help:"How messages are told apart on pipes and sockets: newline (the default) or content-length."`
	CACert    string `name:"cacert" placeholder:"FILE" group:"server" help:"Trust the authorities in FILE (PEM), and no others, to certify HTTPS servers."`
	Cert      string `placeholder:"FILE" group:"server" help:"Certificate to show to HTTPS servers (PEM)."`
	Key       string `placeholder:"FILE" group:"server" help:"Private key of --cert (PEM), if it is not in the same file."`
	Insecure  bool   `short:"k" group:"server" help:"Trust any certificate of an HTTPS server."`
	MaxBytes  Size   `placeholder:"N" group:"limits" help:"Refuse messages of more than N bytes; k, M and G multiply by 1024. Results are printed once they are whole, then."`
	Retry     int    `placeholder:"N" group:"limits" help:"Repeat an HTTP request up to N times that is turned away with 429 or 503 and a Retry-After within --timeout."`
}

// What --transport can be.
const (
	transportAuto  = "auto"
	transportStdio = "stdio"
	transportHTTP  = "http"
	transportSSE   = "sse"
)

// check compares the flags with the server they are meant for.
func (f *TransportFlags) check(t *servers.Target) error {
	isHTTP := t.Kind == servers.HTTP
	switch {
	case f.Transport == transportStdio && t.Kind != servers.Command:
		return usagef("--transport stdio only goes with a server command")
	case (f.Transport == transportHTTP || f.Transport == transportSSE) && !isHTTP:
		return usagef("--transport %s only goes with a URL", f.Transport)
	case f.Framing != "" && t.Kind != servers.Command && t.Kind != servers.Socket:
		return usagef("--framing only goes with a server command or a socket")
	case !isHTTP && (f.CACert != "" || f.Cert != "" || f.Key != "" || f.Insecure):
		return usagef("--cacert, --cert, --key and -k only go with a URL")
	case !isHTTP && f.Retry != 0:
		return usagef("--retry only goes with a URL")
	case f.Retry < 0:
		return usagef("bad --retry %d: write how many times", f.Retry)
	case f.Key != "" && f.Cert == "":
		return usagef("--key goes with --cert")
	case f.Insecure && f.CACert != "":
		return usagef("--cacert and -k contradict each other")
	}
	return nil
}

// framing is nil for the usual one.
func (f *TransportFlags) framing() jsonrpc.Framing {
	if f.Framing == "content-length" {
		return jsonrpc.NewContentLengthStream
	}
	return nil
}

// overHTTP picks the transport for a URL.
func (f *TransportFlags) overHTTP(h transport.HTTP) transport.Dialer {
	if f.Transport == transportSSE {
		return older(h)
	}
	return h
}

// fallback is what is tried when d turns out not to be the server's transport.
func (f *TransportFlags) fallback(d transport.Dialer) transport.Dialer {
	if h, ok := d.(transport.HTTP); ok && f.Transport == transportAuto {
		return older(h)
	}
	return nil
}

func older(h transport.HTTP) transport.Dialer {
	return transport.SSE{URL: h.URL, Header: h.Header, RoundTripper: h.RoundTripper}
}

// tls makes the settings of HTTPS; nil are those of Go and the system.
func (f *TransportFlags) tls() (*tls.Config, error) {
	if f.CACert == "" && f.Cert == "" && !f.Insecure {
		return nil, nil
	}
	c := &tls.Config{InsecureSkipVerify: f.Insecure}
	if f.CACert != "" {
		pem, err := os.ReadFile(f.CACert)
		if err != nil {
			return nil, &UsageError{Err: fmt.Errorf("--cacert: %w", err)}
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, usagef("--cacert: %s holds no certificate in PEM", f.CACert)
		}
	}
	if f.Cert != "" {
		key := f.Key
		if key == "" {
			key = f.Cert
		}
		pair, err := tls.LoadX509KeyPair(f.Cert, key)
		if err != nil {
			return nil, &UsageError{Err: fmt.Errorf("--cert: %w", err)}
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// baseTransport makes what sends HTTP requests, below any authorization.
func (r *runner) baseTransport() (http.RoundTripper, error) {
	flags := &r.grammar.TransportFlags
	config, err := flags.tls()
	if err != nil {
		return nil, err
	}
	t := transport.NewRoundTripper()
	if config != nil {
		t.TLSClientConfig = config
	}
	if flags.Retry == 0 {
		return t, nil
	}
	return &transport.Retry{Next: t, Times: flags.Retry, Longest: r.longestWait(), Waiting: func(status int, wait time.Duration) {
		if r.grammar.Verbose > 0 {
			r.messages.Line(fmt.Sprintf("* HTTP %d %s; trying again in %s", status, http.StatusText(status), wait))
		}
	}}, nil
}

// longestWait is the wait for a server that leaves time for a request after it:
// 0 is any.
func (r *runner) longestWait() time.Duration {
	request, run := time.Duration(r.grammar.Timeout), time.Duration(r.grammar.MaxTime)
	if request == 0 || run > 0 && run < request {
		return run
	}
	return request
}

// Size is a number of bytes on the command line.
type Size int64

// UnmarshalText parses it.
func (s *Size) UnmarshalText(text []byte) error {
	digits, factor := string(text), int64(1)
	for suffix, f := range map[string]int64{"k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if rest, ok := strings.CutSuffix(digits, suffix); ok {
			digits, factor = rest, f
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt32*1024/factor {
		return fmt.Errorf("bad number of bytes %q: write 65536, 64k, 10M or 1G", text)
	}
	*s = Size(n * factor)
	return nil
}
