package commands

import (
	"strings"

	"github.com/alecthomas/kong"
)

// commandText is what help and manual say of a command beyond its grammar.
type commandText struct {
	group    string   // its heading in the list of commands
	long     string   // what it does and prints; more is the Help method of the command
	flags    string   // key of the group of shared flags that it is mostly about
	examples []string // lines of a shell that work, one after the other
}

// The headings of the list of commands.
const (
	groupLook   = "Look at a server"
	groupUse    = "Use it"
	groupFollow = "Follow what goes on"
	groupTest   = "Test it"
	groupSetUp  = "Set up"
	groupAbout  = "About mcpq"
	groupOther  = "Other"
)

func commandGroups() []string {
	return []string{groupLook, groupUse, groupFollow, groupTest, groupSetUp, groupAbout, groupOther}
}

// aboutNode is the text of a command; one of a command's own commands has only
// its help.
func aboutNode(node *kong.Node) commandText {
	if node.Parent != nil && node.Parent.Type != kong.ApplicationNode {
		text := about(nodePath(node.Parent))
		return commandText{flags: text.flags}
	}
	return about(node.Name)
}

// description is what help and manual say of a command, laid out as
// [mcpq/commands/prose] tells.
func description(node *kong.Node) string {
	return strings.TrimSpace(node.Help+" "+aboutNode(node).long) + "\n\n" + node.Detail
}

// about is the text of a command. It is a function, so that nothing of it is
// made unless help is asked for.
func about(command string) commandText {
	switch command {
	case "info", "ping", "list-tools", "list-resources", "list-templates", "list-prompts", "list-skills", "describe":
		return aboutLook(command)
	case "call", "read", "get-prompt", "complete", "skill", "run", "rpc":
		return aboutUse(command)
	case "watch", "tasks":
		return aboutFollow(command)
	case "check", "snapshot", "diff":
		return aboutTest(command)
	case "auth", "servers", "completion", "hold", "demo":
		return aboutSetUp(command)
	case "help", "man", "version":
		return aboutItself(command)
	}
	return commandText{group: groupOther}
}

func aboutLook(command string) commandText {
	t := commandText{group: groupLook}
	switch command {
	case "info":
		t.long = `Prints an object with protocolVersion, era (stateful or stateless), supportedVersions where the server tells them, serverInfo, capabilities, instructions, transport and timings. It always asks the server, never the cache.`
		t.examples = []string{
			"mcpq info -s demo:",
			"mcpq info -s demo: --jq .protocolVersion -r",
			"mcpq info -s demo: --protocol 2025-11-25 --jq '.capabilities | keys'",
		}
	case "ping":
		t.long = `Prints one JSON line for each round trip, with its time in milliseconds. Servers of 2026-07-28 know no ping; they are sent server/discover.`
		t.examples = []string{
			"mcpq ping -s demo:",
			"mcpq ping --count 3 --interval 100ms -s demo: --jq .ms",
		}
	case "list-tools":
		t.long = listLong
		t.examples = []string{
			"mcpq list-tools -s demo: --format table",
			"mcpq list-tools -s demo: --jq '.tools[].name' -r",
			`mcpq list-tools -s demo: --jq 'any(.tools[]; .name == "add")' -e`,
			"mcpq list-tools -s demo: --format ndjson --limit 3",
		}
	case "list-resources":
		t.long = listLong
		t.examples = []string{
			"mcpq list-resources -s demo: --format text",
			"mcpq list-resources -s demo: --jq '.resources[].uri' -r",
		}
	case "list-templates":
		t.long = listLong
		t.examples = []string{
			"mcpq list-templates -s demo:",
			"mcpq list-templates -s demo: --format text",
		}
	case "list-prompts":
		t.long = listLong
		t.examples = []string{
			"mcpq list-prompts -s demo: --format table",
			`mcpq list-prompts -s demo: --jq '.prompts[] | {(.name): .arguments}'`,
		}
	case "list-skills":
		t.long = listLong + " Skills are an extension: folders of instructions that a server offers, with the hash of each file."
		t.examples = []string{
			`mcpq list-skills -s "$SKILLS" --format text`,
			`mcpq list-skills -s "$SKILLS" --jq '.skills[].name' -r`,
		}
	case "describe":
		t.long = `Prints a page made from the schema: usage, arguments with their types, what comes back, and an example. --format json gives the definition as the server sent it.`
		t.examples = []string{
			"mcpq describe add -s demo:",
			"mcpq describe prompt:review -s demo:",
			"mcpq describe add -s demo: --jq .inputSchema",
		}
	}
	return t
}

const listLong = `All pages are fetched and printed as one object: the first page as it came, with the items of all. --format ndjson prints an item a line, as the pages arrive; table and text are for reading.`

func aboutUse(command string) commandText {
	t := commandText{group: groupUse}
	switch command {
	case "call":
		t.long = `Prints the whole result. Arguments are made the types that the tool's schema asks for, and checked before anything is sent; on a terminal those that are missing are asked for. If the tool says that it failed, the result is printed and the exit code is 6. With a server named, 'mcpq call TOOL --help' describes the tool.`
		t.examples = []string{
			"mcpq call add a=2 b=3 -s demo:",
			"mcpq call add a=2 b=3 -s demo: --jq .structuredContent.sum",
			"mcpq call echo text=hello --format text -- mcpq demo",
			`echo '{"a":1,"b":2}' | mcpq call add --args - b=40 -s demo:`,
			"mcpq call image -s demo: -o picture.png",
		}
	case "read":
		t.long = `Prints the result object; of several URIs, one a line, in one session. A URI template is expanded with the values given. -o saves the content, decoded, in a file.`
		t.examples = []string{
			"mcpq read demo://readme -s demo: --format text",
			"mcpq read 'demo://greeting/{name}' name=Ada -s demo: --format text",
			"mcpq read demo://logo.png -s demo: -o logo.png",
			"mcpq read demo://readme demo://config -s demo: -q .contents[0].uri",
		}
	case "get-prompt":
		t.long = `Prints the result object: the messages of the prompt. --format text shows them as a person reads them.`
		t.examples = []string{
			"mcpq get-prompt review language=go -s demo: --format text",
			"mcpq get-prompt review language=go -s demo: -q .messages[0].role -r",
		}
	case "complete":
		t.long = `Prints the result object, with the values that the server suggests. --context tells values that are already known.`
		t.examples = []string{
			"mcpq complete prompt:review language p -s demo:",
			"mcpq complete prompt:review framework --context language=go -s demo:",
			"mcpq complete 'template:demo://greeting/{name}' name A -s demo:",
		}
	case "skill":
		t.long = `Prints SKILL.md, or another file of the skill. Every byte is checked against the hashes that the server lists before it is shown; -o saves all files of the skill, or none.`
		t.examples = []string{
			`mcpq skill acme/pdf -s "$SKILLS"`,
			`mcpq skill acme/pdf references/forms.md -s "$SKILLS"`,
			`mcpq skill acme/pdf -o skills/ -s "$SKILLS"`,
		}
	case "run":
		t.examples = []string{
			`echo '{"call":"add","arguments":{"a":2,"b":3}}' | mcpq run -s demo:`,
			"mcpq list-resources -s demo: -q '.resources[] | {read: .uri}' > reads",
			"mcpq run reads -j 4 -s demo: --jq .id",
		}
	case "rpc":
		t.long = `Prints the raw result, whatever the server declares that it can do. --notify sends a notification, which has no answer.`
		t.examples = []string{
			"mcpq rpc tools/list -s demo:",
			`mcpq rpc resources/read '{"uri":"demo://readme"}' -s demo:`,
			`echo '{"name":"logs"}' | mcpq rpc tools/call - -s demo:`,
		}
	}
	return t
}

func aboutFollow(command string) commandText {
	t := commandText{group: groupFollow}
	switch command {
	case "watch":
		t.long = `Prints a notification a line, {"method":…,"params":…}, until it is stopped or the server ends the stream. A broken stream is opened anew.`
		t.examples = []string{
			"mcpq watch demo://config -s demo: --for 1s",
			`mcpq watch demo://config --reread -s "$URL" --for 1s --jq .uri -r`,
		}
	case "tasks":
		t.long = `A task is a call that goes on at the server. 'mcpq call' waits for its end; with --detach it prints the task instead, and these commands come back to it.

While a task is waited for, what it asks is answered as everywhere ('mcpq help answers'), and a server that is away for a while is tried again. Ctrl-C cancels the task; a second one leaves it running, as --max-time and SIGTERM do, and stderr says how to come back. --cancel-on-timeout cancels it at the end of the time.

Where tasks belong to a session (HTTP, up to 2025-11-25), --session-file FILE keeps the session for the next command.`
		t.examples = []string{
			`id=$(mcpq call job seconds=1 --detach -s "$URL" --jq .taskId -r)`,
			`mcpq tasks get "$id" -s "$URL" --jq .status -r`,
			`mcpq tasks wait "$id" -s "$URL" --format text`,
			`mcpq tasks result "$id" -s "$URL"`,
		}
	}
	return t
}

func aboutTest(command string) commandText {
	t := commandText{group: groupTest}
	switch command {
	case "check":
		t.examples = []string{
			"echo '{steps: [{call: echo, arguments: {text: hi}}]}' > smoke.yaml",
			"mcpq check smoke.yaml -s demo:",
			"mcpq check smoke.yaml --format junit -- mcpq demo > report.xml",
		}
	case "snapshot":
		t.long = `Prints one JSON document: what the server says of itself, its tools, prompts, resources and templates, sorted, and without what differs from one reading to the next. 'mcpq diff' compares it with the server of another day.`
		t.examples = []string{
			"mcpq snapshot -s demo: > demo.json",
			"mcpq snapshot -s demo: -o demo.json",
			"mcpq snapshot -s demo: --jq '.tools[].name' -r",
		}
	case "diff":
		t.long = `Prints {"breaking":…,"changes":[…]}: what changed from OLD to NEW, or to the server, and whether it breaks clients. Exits with 1 if it does. --format text is a report for a person, --format github are annotations for a GitHub workflow; 'mcpq help changes' tells what breaks.`
		t.examples = []string{
			"mcpq snapshot -s demo: > demo.json",
			"mcpq diff demo.json -s demo:",
			"mcpq diff demo.json -s demo: --format text",
			"mcpq diff demo.json demo.json --format github",
		}
	}
	return t
}

func aboutSetUp(command string) commandText {
	t := commandText{group: groupSetUp}
	switch command {
	case "auth":
		t.long = `Other commands use and renew what is stored; none of them opens a browser unless it is told to by --login. Scripts take a token from MCPQ_TOKEN, or client credentials: 'mcpq help auth'.`
		t.flags = "auth"
		t.examples = []string{
			`mcpq auth login -s "$URL"`,
			`mcpq auth login -s "$URL" --no-browser    # over ssh`,
			"mcpq auth status",
			`curl -H "Authorization: Bearer $(mcpq auth token -s $URL)" $URL/docs`,
		}
	case "servers":
		t.long = `They are those of mcpq's own file and of other clients' files, by name: 'mcpq COMMAND -s NAME' uses one. Each command prints JSON and starts no server. A command that a project's file names, and what of it could carry secrets away, is used once you trust it.`
		t.examples = []string{
			"mcpq servers add mine -- mcpq demo",
			"mcpq servers list --jq '.servers[].name' -r",
			"mcpq call add a=2 b=3 -s mine",
			"mcpq servers remove mine",
		}
	case "completion":
		t.long = `The shell then completes commands, flags and their values, names of configured servers, and of the server on the line the names and arguments of its tools, prompts and resources.

The server is asked as by the command itself (-s, --, MCPQ_SERVER, config files), but for two seconds at most (MCPQ_COMPLETION_TIME), and without logging in or asking anybody anything. A server command is not started at each TAB: its lists are kept for two minutes (--refresh, --no-cache). fish does not tell what stands behind the cursor, so name the server before it there. Credentials in the keyring of the system are not used, since that may ask to be unlocked.`
		t.examples = []string{
			"source <(mcpq completion bash)           # in ~/.bashrc",
			"source <(mcpq completion zsh)            # in ~/.zshrc, after compinit",
			"mcpq completion fish | source            # in ~/.config/fish/config.fish",
		}
	case "hold":
		t.long = `Starts the server once, and serves its session to every client that connects to the socket: calls to a server that takes long to start are quick. It says on stderr when it is ready, and runs until it is stopped, or with --idle until nobody needs it any more.`
		t.examples = []string{
			"mcpq hold --listen unix:demo.sock --idle 5s -- mcpq demo &",
			"mcpq call add a=2 b=3 -s unix:demo.sock --connect-timeout 5s",
			"mcpq list-tools -s unix:demo.sock --format text",
		}
	case "demo":
		t.long = `It speaks every version of the protocol, and has tools, resources and prompts to try a client on. On stdio it ends with its input, with --http it serves until it is stopped and prints its URL.`
		t.examples = []string{
			"mcpq list-tools --format text -- mcpq demo",
			"mcpq demo --http 127.0.0.1:8080",
			"mcpq call add a=2 b=3 -s demo:           # without starting it",
		}
	}
	return t
}

func aboutItself(command string) commandText {
	t := commandText{group: groupAbout}
	switch command {
	case "help":
		t.long = "Without a word it lists all commands and topics."
		t.examples = []string{"mcpq help arguments", "mcpq help tasks wait", "mcpq help flags"}
	case "man":
		t.long = "It is that of mcpq, or of one of its commands, in troff, as man reads it. --dir writes all pages, as a package installs them."
		t.examples = []string{"mcpq man | man -l -", "mcpq man call | man -l -", "mcpq man --dir man1"}
	case "version":
		t.long = "So does 'mcpq --version'."
		t.examples = []string{"mcpq version"}
	}
	return t
}
