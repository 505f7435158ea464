// Package apidiff tells what changed between two sets of MCP definitions: what a
// server said of itself and its tools, prompts, resources and resource templates,
// then and now. It also writes such a set as one canonical document, a snapshot.
//
// A change breaks when somebody who relied on the old definitions may be let down
// by the new ones. For what is sent, the arguments of a tool or prompt, that is a
// rule that became narrower; for what comes back, one that became wider:
//
//	                                        inputSchema   outputSchema
//	property added, optional                no            no
//	property added, required                breaking      no
//	property removed                        breaking      breaking
//	optional property now required          breaking      no
//	required property now optional          no            breaking
//	type, enum, bounds and so on narrowed   breaking      no
//	the same widened                        no            breaking
//	further properties refused now          breaking      no
//	further properties allowed now          no            no
//	changed, and it cannot be told how      breaking      breaking
//	default, deprecated, unknown keywords   no            no
//	title, description, examples            no            no
//
// Beside the schemas: what is removed breaks, and what is added does not. A tool
// whose annotations claim less safety than before breaks those who let it run
// unasked; one that has to run as a task now, or cannot any more, breaks those who
// called it the other way. A MIME type that changed or is gone breaks, and so do
// a capability that was lost and a protocol version that is no longer spoken.
//
// References within a schema are followed and allOf is put together before schemas
// are compared, so that the same rules written otherwise are no change. Nothing
// outside of a document is ever looked at. The documents may be a stranger's: the
// work is bounded, and what would take longer is a change that cannot be judged.
//
// What differs from one reading to the next without the definitions having changed
// is left out: _meta of items and of serverInfo, and the size and
// annotations.lastModified of resources. Order means nothing but in arrays.
package apidiff
