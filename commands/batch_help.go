package commands

const batchHelp = `A line of input is one operation, a line of output what came of it, with its id:

  {"id":1,"call":"add","arguments":{"a":2,"b":3}}    {"id":1,"result":{…}}
  {"id":2,"read":"demo://readme"}                    {"id":2,"result":{…}}
  {"id":3,"get-prompt":"review","arguments":{…}}     {"id":3,"result":{…}}
  {"id":4,"method":"tools/list","params":{…}}        {"id":4,"error":{"code":…,"message":…}}
  {"id":5,"notify":"notifications/x","params":{…}}   {"id":5,"result":null}

An id is any JSON value, and without one it is the number of the line. A JSON-RPC request is an operation as it is. tools/call is checked as by 'mcpq call', however it was written.

An error of the server is as the server wrote it. One of this side has an exit, the exit code that a command of its own would have had, and is as --errors json tells it: {"id":6,"error":{"kind":"usage","exit":2,"message":…}}. A tool that says isError has failed with its result; a result that does not fit the tool's outputSchema has an error beside it.

The exit code is that of the first line that failed, in the order of the input. Without --keep-going no line is begun after a failure; those begun are seen through. The end of the session (4) ends the run in any case.

Results are held until they are whole. In order, at most 64 (or 4 for each of -j) wait for an earlier one.`
