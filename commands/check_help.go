package commands

// Help is shown by --help.
func (CheckCmd) Help() string {
	return `A file has the steps, YAML or JSON, and may say for which server; the one on the line comes first:

  server: "demo:"
  steps:
    - name: adds exactly
      call: add
      arguments: {a: 2, b: 3}
      expect: .structuredContent.sum == 5
    - {call: fail, isError: true}
    - {method: no/such, error: -32601, timeout: 5s}

A step is an operation as 'mcpq run' takes it (call, read, get-prompt, method, notify), and what is expected of it: without more that it succeeds; with isError that the tool says that it failed; with error that code, or true for any. Arguments of a step that expects one of the two are the server's to refuse: they are not checked before. expect is one jq expression or a list of them, on the result or the error: the last value must not be false or null. In YAML an expression with ": " or " #" in it needs quotes.

The report is TAP; --format junit and json give others, and --jq filters the latter. The exit code is 1 when a step did not go as expected. What keeps a step from being tried, such as a server that has ended, ends the run with its own exit code.`
}
