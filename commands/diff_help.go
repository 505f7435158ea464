package commands

const changesTopic = `'mcpq snapshot' prints what a server says of itself and all that it lists as one
document: members and items sorted, numbers and texts spelled as the server does.
Left out is what may differ from one reading to the next: _meta, times, and the size
and lastModified of resources; and lists that are empty or that the server has not.

'mcpq diff OLD [NEW]' compares two of them, or OLD with the server on the line, and
exits with 1 if a change is breaking:

                                           arguments   results
  property added, optional                 no          no
  property added, required                 breaking    no
  property removed                         breaking    breaking
  optional property now required           breaking    no
  required property now optional           no          breaking
  type, enum, bounds and so on narrowed    breaking    no
  the same widened                         no          breaking
  further properties refused now           breaking    no
  further properties allowed now           no          no
  changed, and it cannot be told how       breaking    breaking
  default, deprecated, unknown keywords    no          no
  title, description, examples             no          no

  tool, prompt, resource or template       breaking if it was removed
  argument of a prompt                     as one of a tool
  outputSchema                             breaking if it was removed
  readOnlyHint and other annotations       breaking if the tool claims less safety
  taskSupport                              breaking if the tool has to run as a task
                                           now, or cannot any more
  mimeType                                 breaking if it changed or was removed
  capability                               breaking if it was lost
  protocol version                         breaking if it is older, or not spoken any more

References ($ref) and allOf are put together first. anyOf, allOf and oneOf are compared
as sets; a oneOf that is not the same cannot be judged, and neither can schemas that
are very large. Either file may be the result of list-tools, list-prompts,
list-resources or list-templates: then only that list is compared.

Each change has kind (server, tool, prompt, resource, template), name, path (as jq
writes it, references followed; arguments of prompts go by their name), change (added, removed, changed,
narrowed, widened, required, optional), breaking, old and new as the servers wrote
them, and message.

--format text is a report, and --format github are annotations for a GitHub workflow:
an error for what breaks, a warning for what may behave otherwise, else a notice.
`
