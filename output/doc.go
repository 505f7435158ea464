// Package output decides how results, errors, logs and messages look.
//
// The rules of the package:
//
//   - Results go to standard output through a [Printer] and nothing else does.
//     Everything said beside a result goes to standard error through [Messages].
//   - Without a filter a server's JSON is never decoded and encoded again: only
//     white space differs, and on a terminal the few characters that could
//     steer it are spelled as JSON escapes of the same value.
//   - Text that came from a server reaches a terminal only through [Safe],
//     [SafeLine] or [NewSafeWriter].
//   - A document is indented and coloured on a terminal, and one compact line
//     everywhere else, unless [Options] say otherwise.
//
// The package asks no environment and holds no state of its own: what it needs
// to know arrives in [Streams] and [Options].
package output
