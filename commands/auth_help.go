package commands

const authTopic = `Protected HTTP servers ask for an access token. mcpq gets one in these ways:

  mcpq auth login -s URL    log in with a browser, once. The token is stored, and
                            renewed by whichever command needs it
  --login                   the same in the middle of any command, when the server
                            asks for a login or for more scopes
  MCPQ_TOKEN, --token-file  a token from elsewhere, sent as it is
  --client-id ID with MCPQ_CLIENT_SECRET, --client-secret-file or --client-key
                            client credentials: no person is needed
  --assertion-file FILE     the JWT of a workload (jwt-bearer)
  --id-token-file FILE with --idp-issuer or --idp-token-endpoint
                            an enterprise's identity provider
  -H 'Authorization: …'     anything else; nothing of the above is done then

An ordinary command never opens a browser by itself: it ends with 7 and says what
to run. --oauth HOW chooses a way; with 'auth login' and --login a client id and
secret are those of the login.

Logging in:
  --browser CMD             with this browser; it is given the URL, no shell is run
  --no-browser              open the URL anywhere, and paste the URL it ends at: for
                            ssh and containers
  --device                  type a code in on another device
  --callback-port PORT      for servers that know only one redirect URI,
                            http://127.0.0.1:PORT/callback

'auth status' shows what there is, 'auth token' prints the token, 'auth logout'
revokes and forgets it. Credentials are kept in the keyring of the system, or in
files that only you can read under $XDG_STATE_HOME/mcpq (~/.local/state/mcpq)
where there is none; MCPQ_NO_KEYRING=1 always takes the files. --dpop binds
tokens to a key that is kept beside them.

Tokens go to the server's origin and nowhere else, and without https only to
this machine (--allow-http). The programs that mcpq starts do not see MCPQ_TOKEN,
MCPQ_CLIENT_SECRET, MCPQ_ASSERTION, MCPQ_ID_TOKEN and MCPQ_IDP_CLIENT_SECRET.
`
