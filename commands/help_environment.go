package commands

// environmentTopic is in two parts, since a manual has a section for each.
const environmentTopic = "Environment variables:\n\n" + environmentList + "\nFiles:\n\n" + filesList

const environmentList = `  MCPQ_SERVER          the server, when neither -s nor -- names one
  MCPQ_TOKEN           an access token for the server
  MCPQ_CLIENT_SECRET   the secret of --client-id
  MCPQ_ASSERTION       the JWT of a workload, as --assertion-file
  MCPQ_ID_TOKEN        the identity token, as --id-token-file
  MCPQ_IDP_CLIENT_SECRET
                       the secret of --idp-client-id
  MCPQ_INPUT_ID        the answer to the input ID of a config file
  MCPQ_COMPLETION_TIME
                       how long completion may wait for a server, such as 500ms (2s)
  MCPQ_NO_KEYRING      if set, credentials are kept in files, not in the keyring
  COLUMNS              how wide tables, manuals and help may be
  NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM
                       whether output is coloured; see --color
  BROWSER              opens web pages of logins and of servers that ask for a visit
  VISUAL, EDITOR       writes long texts in forms
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY
                       proxies for HTTP servers
`

const filesList = `  .mcp.json, .vscode/mcp.json, .cursor/mcp.json
                       servers of a project, in its folder or one above
  $XDG_CONFIG_HOME/mcpq/config.json
                       your servers (~/.config without the variable)
  $XDG_CACHE_HOME/mcpq/answers
                       what servers allow to be kept (~/.cache, or what the system
                       has for it, without the variable); may be deleted
  $XDG_STATE_HOME/mcpq
                       credentials where there is no keyring, and which servers are
                       trusted (~/.local/state without the variable); only for you to
                       read
`
