package mcp

import "slices"

// The official protocol versions.
const (
	Version20241105 = "2024-11-05"
	Version20250326 = "2025-03-26"
	Version20250618 = "2025-06-18"
	Version20251125 = "2025-11-25"
	Version20260728 = "2026-07-28"
)

// LatestStateful is the version offered in initialize.
const LatestStateful = Version20251125

// LatestStateless is the version named in the metadata of every request.
const LatestStateless = Version20260728

// StatefulVersions are those that open a session with initialize, oldest first.
func StatefulVersions() []string {
	return []string{Version20241105, Version20250326, Version20250618, Version20251125}
}

// StatelessVersions are those in which every request stands alone, oldest first.
func StatelessVersions() []string { return []string{Version20260728} }

// Versions are all the versions this package speaks, oldest first.
func Versions() []string { return append(StatefulVersions(), StatelessVersions()...) }

// newest returns the newest of ours that theirs has too, or "".
func newest(ours, theirs []string) string {
	for _, v := range slices.Backward(ours) {
		if slices.Contains(theirs, v) {
			return v
		}
	}
	return ""
}

// features are the differences between versions that a client has to act on.
// Dates compare as strings.
type features struct {
	version          string
	httpHeader       bool // MCP-Protocol-Version after the handshake
	completions      bool // there is a capability of that name
	elicitation      bool
	elicitationModes bool // form and url
	samplingTools    bool
	urlRequired      bool // the error of that name
	extensions       bool // there is a capability of that name
	sessionLogLevel  bool // set once, by logging/setLevel
	serverRequests   bool // the server may make requests
	batches          bool // JSON-RPC batches are answered by batches
	taskRequests     bool // requests may ask for a task
	taskExtension    bool // servers may make tasks of calls
}

func featuresOf(version string) features {
	stateful := version < Version20260728
	return features{
		version:          version,
		httpHeader:       version >= Version20250618,
		completions:      version >= Version20250326,
		elicitation:      version >= Version20250618,
		elicitationModes: version >= Version20251125,
		samplingTools:    version >= Version20251125,
		urlRequired:      version == Version20251125,
		extensions:       !stateful,
		sessionLogLevel:  stateful,
		serverRequests:   stateful,
		batches:          version == Version20250326,
		taskRequests:     version == Version20251125,
		taskExtension:    !stateful,
	}
}
