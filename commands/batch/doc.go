// Package batch is what 'mcpq run' reads and how it gets through it: [Decode]
// makes an operation of a line, [Lines] cuts the input into lines of bounded
// length, and a [Pipeline] works on many at once, in memory that does not grow
// with their number.
//
// An operation is a JSON object that says what to do in one of these ways:
//
//	{"method": "tools/list", "params": {…}}    any request
//	{"call": "add", "arguments": {"a": 2}}     short for tools/call
//	{"read": "demo://readme"}                  short for resources/read
//	{"get-prompt": "review", "arguments": {…}} short for prompts/get
//	{"notify": "notifications/x", "params": {…}}
//
// Beside it may stand "id", any JSON value, and "jsonrpc", so that a JSON-RPC
// request is an operation as it is. Nothing else: a misspelt member would be a
// call without its arguments.
package batch
