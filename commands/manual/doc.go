// Package manual writes a page of a manual for a tool, a prompt or a resource
// template out of its definition: how it is used, what its arguments are, what
// comes back, and an example.
//
// The definition is a stranger's: its schema is read in bounded steps, nothing
// it refers to outside of itself is loaded, and all its texts go through
// [output.Safe].
package manual
