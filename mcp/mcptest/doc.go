// Package mcptest is an MCP server for tests that does exactly what a script
// tells it, good or bad, on stdio and on HTTP.
//
// Without a script it is a small well-behaved server. A script is a text of
// lines; what it does not mention stays well-behaved. [Serve] and [Handler] run
// one inside a test, [Main] is the command mcptest-server:
//
//	mcptest-server [SCRIPT]
//	mcptest-server -http 127.0.0.1:0 -addr-file FILE [SCRIPT]
//
// # A first script
//
// Settings stand at the margin. "on" opens a rule, the indented lines under it
// are its steps, done in order:
//
//	# a server that dies in the middle of the second call of the tool "pay"
//	tool pay
//	record wire.log
//	on tools/call pay #2
//		stderr no money left
//		raw {"jsonrpc":"2.0","id":$ID,"resu
//		exit 3
//
// # Well-behaved
//
// The tools are ok (says ok), echo (its arguments as text), fail (isError) and
// die (exits 9 without an answer). The server speaks the stateful era: it
// agrees to the version asked for, wants initialize first, gives a session id
// over HTTP and checks it. In the stateless era it checks _meta and the
// headers. Unknown methods are -32601, unknown tools -32602.
//
// # Settings
//
//	era stateful|stateless|both      which era it speaks
//	versions 2025-11-25,2025-06-18   versions it agrees to, the preferred one first
//	info {"name":"x","version":"1"}  serverInfo
//	capabilities {"tools":{}}        what it says it can do
//	instructions TEXT
//	tool NAME [{"inputSchema":…}]    a tool in place of the usual four; repeatable
//	tools 10000 100                  10,000 tools named tool-0 and on, 100 a page
//	record FILE                      append what is received, see below
//	pid FILE                         write the process id
//	framing newline|content-length   framing on stdio
//	line-end lf|crlf                 line ends on stdio
//	chunk 1 [2ms]                    write and flush 1 byte at a time, 2 ms apart
//	ignore eof|term|int|hup …        go on living
//	session ID|none                  HTTP session ids: ID-1, ID-2 and so on
//	answers json|sse                 kind of an HTTP answer without news before it
//	transport http|http+sse          http+sse: the 2024-11-05 transport
//	endpoint URI                     what http+sse gives in its endpoint event
//
// # Rules
//
//	on METHOD [NAME] [#WHEN]
//
// METHOD is a request or notification; NAME is its params.name or params.uri.
// "on *" takes any message. WHEN counts the messages that fit: #2 is the second,
// #2- the second and all later ones. The first rule that fits is taken. Further:
//
//	on start             before anything is read
//	on eof               stdin has ended; without steps the server ends at once
//	on GET [PATH] [#N]   HTTP requests that are no POST of a message, of the
//	on DELETE, on POST   endpoint or of PATH (POST needs a PATH)
//	on HTTP [#N]         any HTTP request of the endpoint, before it is looked into
//
// # Steps that answer
//
// A rule without any of them ends with the well-behaved answer. Two of them
// answer twice.
//
//	default              the well-behaved answer
//	result JSON          a response to this request
//	error CODE MESSAGE   an error; a MESSAGE in quotes may be followed by data
//	reply TEXT           TEXT as one message, whatever it is
//	raw TEXT             bytes, with no framing; "a\xff\n" in quotes for any byte
//	hang                 never answer; over HTTP the response stays open
//	exit N, kill         end the process (kill: by SIGKILL)
//
// Wrong versions of an answer are all of them replies:
//
//	reply {"jsonrpc":"1.0","id":$ID,"result":{}}
//	reply {"jsonrpc":"2.0","id":999,"result":{}}
//	reply {"jsonrpc":"2.0","id":$ID,"result":{},"error":{"code":1,"message":"both"}}
//
// # Steps on the way
//
//	notify METHOD [PARAMS]    a notification
//	request METHOD [PARAMS]   a request to the client; waits for its answer: $ANSWER
//	send TEXT                 TEXT as one message that answers nothing
//	wait 100ms
//	times 3 STEP              STEP three times
//	every 10ms STEP           STEP for ever, so far apart
//	chunk N [DURATION]        as the setting, for what this rule writes from here on
//	lose-sessions             forget all HTTP sessions
//	log TEXT                  a line for the record
//
// and of the process, on stdio:
//
//	stderr TEXT               a line on stderr
//	print TEXT                a line on stdout that is no message
//	flood stdout|stderr 10M   ten million bytes of lines that are no messages
//	close-stdout              and stay alive
//	spawn FILE [KIND]         start a child that holds stdin, stdout and stderr; its
//	                          pid goes into FILE. KIND: plain, stubborn (ignores
//	                          signals), heir (reads stdin once orphaned, ends at EOF)
//
// and over HTTP:
//
//	header NAME: VALUE        a response header; Content-Type is one
//	status N                  a response code; alone it is an answer without body
//	body TYPE TEXT            an answer that is no message: HTML, broken JSON
//	redirect CODE URL
//	sse [lf|crlf|cr]          answer with an event stream from here on
//	comment TEXT              an SSE comment
//	event-id ID               the id of the next event
//	prime ID                  an event with this id and no data
//	retry MS
//	end                       end the response here, cleanly
//	abort                     close the connection in the middle of the response
//	reset                     the same with a TCP reset
//	bad-chunk                 break the chunked encoding
//
// # Substitution
//
// In the text of steps. Names are in upper case, so "$ref" is text; $$ is a dollar.
//
//	$ID $PARAMS $ARGS $TOKEN      JSON of the request; null if absent
//	$ARG(city)                    JSON of one argument
//	$METHOD $NAME $CURSOR         text, escaped for use inside a JSON string
//	$VERSION                      the protocol version asked for
//	$ANSWER                       the client's last answer to a request step
//	$HEADER(Mcp-Name)             a header of the HTTP request
//	$ORIGIN $PORT                 where this server is reached over HTTP
//	$N                            how often this rule has run, from 1
//	$PID $ENV(HOME) $NL $BYTES(ff00)
//	$REPEAT(50M,abc)              that many copies, never held in memory
//	$LIST(100,{"name":"t$I"})     that many, joined by commas; $I counts from 0
//
// The text inside $REPEAT and $LIST ends at the first closing parenthesis. Some uses:
//
//	on tools/call                # 50 MB in one line
//		result {"content":[{"type":"text","text":"$REPEAT(50M,x)"}]}
//	on tools/list                # endless pages; a constant cursor repeats
//		result {"tools":[],"nextCursor":"c$N"}
//	on ping                      # deep nesting
//		result {"deep":$REPEAT(10000,[)$REPEAT(10000,])}
//	on tools/call                # data over two lines of an event, answered late
//		sse crlf
//		comment patience
//		wait 50ms
//		reply {"jsonrpc":"2.0",$NL"id":$ID,"result":{}}
//
// # The record
//
// One line for each message, as it came. Over HTTP method, path and headers stand
// before it, sorted and separated by " | ":
//
//	POST /mcp | Accept: application/json | … | {"jsonrpc":"2.0",…}
//
// Besides "eof", "signal terminated", and "gone METHOD" when an HTTP client
// closed the connection before it had its answer.
package mcptest
