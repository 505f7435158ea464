package commands

// topic is a text of 'mcpq help TOPIC'. How they are laid out is told by
// [mcpq/commands/prose].
type topic struct {
	name, about string
	heading     string // of its section in the manual
	text        string // "" is made from the grammar
}

// topics lists them in the order of --help. Every list of them comes from here.
func topics() []topic {
	return []topic{
		{"arguments", "how the arguments of a tool are written", "ARGUMENTS OF TOOLS", argumentsTopic},
		{"servers", "how a server is named and reached", "SERVERS", serversTopic},
		{"config", "servers of config files", "CONFIG FILES", configTopic},
		{"jq", "filters", "JQ", jqTopic},
		{"formats", "how results are printed and saved", "FORMATS", formatsTopic},
		{"answers", "what a server may ask, and who answers", "ANSWERS TO THE SERVER", answersTopic},
		{"auth", "logins and tokens", "AUTHORIZATION", authTopic},
		{"changes", "what counts as a breaking change of a server", "CHANGES", changesTopic},
		{topicExits, "what each exit code means", "EXIT STATUS", exitTopic},
		{topicEnvironment, "variables and files that are used", "ENVIRONMENT", environmentTopic},
		{topicFlags, "all flags that commands have in common", "OPTIONS", ""},
	}
}

// Topics that the program and its manual treat specially.
const (
	topicExits       = "exit-codes"
	topicEnvironment = "environment"
	topicFlags       = "flags"
)

const exitTopic = "Exit codes of mcpq, and the kinds of failures:\n\n" + exitTable + errorsText

const argumentsTopic = `Arguments of 'mcpq call TOOL':

  k=TEXT      TEXT, made the type that the tool's inputSchema asks for
  k:=JSON     JSON, taken as it is written
  k=@FILE     the text of FILE (@- is standard input)
  k:=@FILE    the JSON in FILE
  k[]=…       append to an array
  k[0]=…      set an item of an array
  k[name]=…   set a member of an object; brackets nest: a[0][b]=…
  --args JSON  the whole object: JSON, @FILE or - for standard input

--args comes first, then the others in their order; the last one wins. A key with
brackets changes a part of what is there, one without takes the place of it all.

A text stays a string wherever the schema allows one: zip=01234 keeps its zero.
Numbers keep every digit, booleans are true and false. Defaults are left to the
server. In a key, a backslash makes [ ] = : and \ literal; a text that begins with
@ is written \@.

Arguments are checked against the inputSchema before anything is sent, and
structuredContent against the outputSchema (exit 4). A name that the schema does
not list is a mistake where it forbids others, else it is sent with a warning.
--no-validate turns all of this off. What is required and missing is asked for on
a terminal; in a script it is a mistake. 'mcpq describe TOOL' shows the arguments.

'get-prompt' and 'read TEMPLATE' take k=TEXT and k=@FILE, always as strings.
`

const serversTopic = `A server is named in one of these ways:

  -- COMMAND [ARG…]         start COMMAND and speak over its stdin and stdout
  -s 'stdio:COMMAND ARG…'   the same, split into words as a shell would, but no shell is run
                            (on Windows as programs there do: \ is a letter, "…" keeps words together)
  -s http://…, https://…    a Streamable HTTP server, or one with the older HTTP+SSE
  -s unix:PATH              a server on a Unix socket
  -s tcp:HOST:PORT          a server on a TCP socket
  -s demo:                  the small server built into mcpq; works offline
  -s NAME                   a server of a config file: 'mcpq help config'
  MCPQ_SERVER               any of the -s forms, when neither of the above is given

A server command gets mcpq's environment, or little of it when it comes from a
config file, with the variables of --env added. It runs in a process group of its
own. At the end its stdin is closed; if it does not exit within --grace (2s) it
gets SIGTERM, and then SIGKILL.

What a server of 2026-07-28 allows to be kept, and which era a server speaks, is
kept in the user's cache directory (mcpq/answers in $XDG_CACHE_HOME, ~/.cache or
what the system has for it). What is not said to be public is only used again
with the same credentials. --refresh asks anew, --no-cache leaves the cache
alone, -v says what came from it; info, ping, watch, snapshot and diff always ask.

A URL is tried as Streamable HTTP. A server that refuses initialize there with
400, 404, 405 or the like is tried as HTTP+SSE, the transport of 2024-11-05; never
after 401, 403 or 5xx. --transport http or sse insists on one, and --transport
stdio on a server command.

Commands and sockets carry a message a line; --framing content-length puts a
Content-Length header in front of each instead.

HTTPS: --cacert FILE trusts the authorities in FILE alone, -k any certificate;
--cert FILE and --key FILE show one to the server. HTTP_PROXY, HTTPS_PROXY and
NO_PROXY choose a proxy. Redirects are followed within the origin only.

--retry N repeats a request that a server turned away with 429 or 503, if its
Retry-After allows a wait within --timeout and --max-time. --max-bytes N refuses
larger messages (exit 4).
`

const formatsTopic = `--format FORMAT prints results as

  json     the server's JSON: indented on a terminal, one line in a pipe (the default)
  ndjson   one item of a list, or one block of a result, a line; the items of a list
           as their pages arrive
  yaml     YAML with the server's order of members and spelling of numbers
  table    a list in columns, as wide as the terminal or as COLUMNS says
  text     what a person would read: text as it is, links and binary content named,
           prompts as 'role: text', lists as lines, and everything else as YAML;
           kitty, Ghostty, iTerm2, WezTerm and those that know sixels draw images

A filter comes first: --format prints the values that --jq yields. In text on a
terminal, and in tables anywhere, characters of the server that could steer the
terminal are shown escaped. NO_COLOR, CLICOLOR_FORCE, CLICOLOR=0 and TERM=dumb
are obeyed; --color is stronger. What stands on stderr has colours on a terminal only.

-o saves the content of a result (call, read, get-prompt, rpc), decoded:

  -o FILE  the picture, sound or other file in it, or else its texts together, or else
           its structuredContent; FILE is replaced when all of it has come, and left as
           it is when anything fails. --no-clobber refuses (exit 2) if FILE is there.
  -o DIR/  every block in a file of its own, named after its URI or kind, with the
           extension of its MIME type; numbered rather than overwriting, but for --force
  -o -     as FILE, but to stdout; on a terminal what could steer it is escaped there, too

With --jq or --format, and for what has no content, FILE gets what would have been
printed. A tool that says it failed is told on stderr and saves nothing (exit 6).
`

const jqTopic = `--jq EXPR filters the result with jq, in mcpq itself (no jq program is needed):

  mcpq list-tools -s demo: --jq '.tools[] | .name' -r

-r prints strings without quotes, --jq-arg NAME=TEXT and --jq-argjson NAME=JSON
set $NAME, --jq-file FILE reads the program from a file, -e exits with 1 when the last value is false
or null or when there is none. The expression is checked before the server is
started (exit 2).

Objects and arrays that the expression leaves as they are come out with the
server's own bytes: order of members, spelling of numbers, escapes. Objects that
it builds or changes have their keys sorted. Integers are exact at any size.
Files, modules and the environment cannot be read from an expression: env and
$ENV are empty.
`
