package demo

import "slices"

const (
	version2024November = "2024-11-05"
	version2025March    = "2025-03-26"
	version2025June     = "2025-06-18"
	version2025November = "2025-11-25"
	version2026July     = "2026-07-28"
)

// rules says what one protocol version knows. Handlers ask it for a feature by
// name, so that versions are compared in this file only.
type rules struct {
	version   string
	stateless bool // each request stands alone; no initialize

	batches         bool // arrays of messages are accepted
	annotations     bool // tool annotations
	completions     bool // the completions capability exists
	progressText    bool // progress notifications may have a message
	titles          bool // title, _meta, outputSchema, structuredContent, resource_link
	elicitation     bool // elicitation/create exists
	elicitModes     bool // elicitation/create names its mode
	icons           bool // icons, and description and websiteUrl of the server
	inputAsResult   bool // wrong tool input is an isError result, not a protocol error
	nullIDErrors    bool // an error that answers no readable id says "id":null
	primedStreams   bool // an event stream starts with an empty event that has an id
	tasks           bool // requests may ask for a task
	versionHeader   bool // MCP-Protocol-Version is part of the HTTP transport
	missingResource int  // error code for a resource that does not exist
}

// statefulVersions lists the versions that open with initialize, oldest first.
func statefulVersions() []string {
	return []string{version2024November, version2025March, version2025June, version2025November}
}

// allVersions lists what server/discover offers, newest first.
func allVersions() []string {
	all := append(statefulVersions(), version2026July)
	slices.Reverse(all)
	return all
}

// rulesFor returns the rules of a version and whether that version exists.
func rulesFor(version string) (rules, bool) {
	r := rules{version: version, nullIDErrors: true, missingResource: codeResourceMissing}
	switch version {
	case version2026July:
		r.stateless = true
		r.missingResource = codeInvalidParams
		fallthrough
	case version2025November:
		r.icons, r.elicitModes, r.inputAsResult = true, true, true
		r.primedStreams, r.tasks = !r.stateless, !r.stateless
		r.nullIDErrors = false
		fallthrough
	case version2025June:
		r.titles, r.elicitation, r.versionHeader = true, true, true
		fallthrough
	case version2025March:
		r.annotations, r.completions, r.progressText = true, true, true
		// Batches came with this version and left with the next.
		r.batches = version == version2025March
		return r, true
	case version2024November:
		return r, true
	}
	return rules{}, false
}
