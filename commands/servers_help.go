package commands

// configTopic is the help topic on config files.
const configTopic = `-s NAME is a server of a config file. The first of these that has the name decides:

  --config FILE      named on the command line
  .mcp.json, .vscode/mcp.json, .cursor/mcp.json
                     in the working directory and those above it, up to the home
                     directory or the root; those of a directory before its parent's
  $XDG_CONFIG_HOME/mcpq/config.json (~/.config/mcpq/config.json)
                     mcpq's own: 'mcpq servers add', remove and import change it
  Claude Code        ~/.claude.json: those of the folder first
  Claude Desktop     claude_desktop_config.json
  Cursor             ~/.cursor/mcp.json
  VS Code            mcp.json of the user
  Windsurf           ~/.codeium/windsurf/mcp_config.json
  Codex              ~/.codex/config.toml
  Gemini CLI         ~/.gemini/settings.json

They are read when a name needs them, and never with --, a URL or demo:. A file that
is broken is an error only if the name is in no other one.

The format is that of all those clients, with comments and trailing commas allowed:

    {"mcpServers": {
      "files": {"command": "npx", "args": ["-y", "files-server", "${HOME}/notes"],
                "env": {"TOKEN": "${FILES_TOKEN}"}, "cwd": "…", "envFile": ".env"},
      "docs":  {"url": "https://docs.example/mcp", "type": "http",
                "headers": {"Authorization": "Bearer ${DOCS_TOKEN}"},
                "mcpq": {"protocol": "2025-11-25", "timeout": "2m"}}
    }}

type is stdio, http (a URL of either transport), sse or streamable-http; without it
command or url say which. url may also be unix:PATH or tcp:HOST:PORT. disabled is for
the client whose file it is: a server that is named is used all the same. What mcpq
does not know it ignores.

"mcpq" holds flags, in camel case: protocol, transport, framing, connectTimeout,
timeout, grace, maxBytes, retry, cacert, cert, key, insecure, roots, logLevel,
noProgressReset, noCache, inheritEnv, oauth, clientId, scope. Flags on the command
line come first, and -H and --env over headers and env of the same name.

In texts ${VAR}, ${env:VAR} and ${VAR:-default} are variables of the environment: one
that is not set and has no default is an error. ${workspaceFolder} is the folder of the
project (else the working directory), ${userHome} the home directory. ${input:ID} of VS
Code is asked for on the terminal, or comes from the variable MCPQ_INPUT_ID (the id
in capitals, with _ for what is no letter or digit).

A command from a config file starts in the folder of its project, with the variables
that programs need to run (PATH, HOME, USER, LANG, TERM, TMPDIR, XDG_… and the like),
those of its env and envFile, and those of --env; --inherit-env gives it all of them.
Values of env and headers are secrets: no message and no trace shows them.

Trust: a file that was found in the working directory or above it is the work of
others. What a server of it would run, or send headers, variables or credentials to, is
used only after somebody has looked at it: a person is asked on the terminal; in a
script the exit code is 7 until 'mcpq servers trust NAME' was run. A definition that
has changed is asked about again. --config FILE and the files of the user are trusted.
`
