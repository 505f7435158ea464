package mcp

import (
	"time"

	"mcpq/mcp/transport"
)

// Options say how a client behaves. The zero value is useful.
type Options struct {
	// Version pins the protocol version; empty finds out the newest that the
	// server speaks too.
	Version string

	// Client is how this client introduces itself; its default is mcpq.
	Client Implementation

	Handlers Handlers

	// Extensions are the ids of protocol extensions declared to the server.
	Extensions []string

	// LogLevel asks the server for log messages of that level and above:
	// debug, info, notice, warning, error, critical, alert or emergency.
	LogLevel string

	// ConnectTimeout bounds start, connection and handshake; 0 means 30 s,
	// less than 0 no limit.
	ConnectTimeout time.Duration

	// Timeout bounds each request, counted anew from every progress
	// notification unless NoProgressReset is set, and from every answer to a
	// question of the server; 0 means 60 s, less than 0 no limit. What bounds
	// a request absolutely is its context.
	Timeout         time.Duration
	NoProgressReset bool

	// ProbeTimeout is how long a server may stay silent on server/discover
	// before it is tried with initialize as well; 0 means 3 s.
	ProbeTimeout time.Duration

	// Fallback, when set, is tried when the server refuses initialize as one
	// does that has only the HTTP+SSE transport of 2024-11-05 at its URL. It
	// is a [transport.SSE] then, with the same URL, headers and round tripper.
	Fallback transport.Dialer

	// Cache keeps answers and the era of the server that Identity names for
	// later sessions; nil is none. Refresh asks for everything anew and keeps
	// what comes. Cached, when set, is told of answers taken from the cache.
	Cache    Cache
	Identity Identity
	Refresh  bool
	Cached   func(CacheUse)
	memory   *memory

	// Resume, when set, is what the server said of itself when the session was
	// opened that the transport goes on with (see transport.HTTP.Session).
	// Nothing is sent then to open one, unless the server has lost it.
	Resume *ServerInfo

	// Trace is shown every message on the wire. Large results are then held
	// in memory.
	Trace func(transport.Event)

	// Exchanged is told of every request that was answered or given up, those
	// that open the session as well.
	Exchanged func(Exchange)

	// MaxMessage bounds what is held of one message, in bytes; 0 means
	// jsonrpc.DefaultMaxMessage.
	MaxMessage int64
}

// Implementation names a client or server program.
type Implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

const (
	defaultConnectTimeout = 30 * time.Second
	defaultTimeout        = 60 * time.Second
	defaultProbeTimeout   = 3 * time.Second
)

func (o *Options) setDefaults() {
	if o.Client.Name == "" {
		o.Client = Implementation{Name: "mcpq", Version: "0"}
	}
	if o.ConnectTimeout == 0 {
		o.ConnectTimeout = defaultConnectTimeout
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.ProbeTimeout == 0 {
		o.ProbeTimeout = defaultProbeTimeout
	}
	o.memory = newMemory(o)
}
