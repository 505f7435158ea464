package commands

import (
	"encoding/json"
	"errors"

	"mcpq/mcp"
)

// taskEnded reports whether err is a task that ended badly, with no error of
// JSON-RPC.
func taskEnded(err error) bool {
	var (
		failed  *TaskFailedError
		ended   *mcp.TaskError
		expired *mcp.TaskExpiredError
	)
	return errors.As(err, &failed) || errors.As(err, &ended) || errors.As(err, &expired)
}

// noSuchTaskMethod reports whether err is a request about tasks that the version
// does not have.
func noSuchTaskMethod(err error) bool {
	var missing *mcp.TaskMethodError
	return errors.As(err, &missing)
}

// taskHint says what to do instead of what a server cannot do about tasks.
func taskHint(err error) string {
	var missing *mcp.TaskMethodError
	var rpc *mcp.RPCError
	switch {
	case errors.As(err, &missing) && missing.Method == string(mcp.ListTasks):
		return "keep the taskId that 'mcpq call' tells; 'mcpq tasks get ID' shows a task"
	case errors.As(err, &missing):
		return "servers of this version ask while they are waited for: 'mcpq tasks wait ID' with --elicit, --elicit-data, --elicit-exec or a terminal"
	case errors.As(err, &rpc) && rpc.Err.Code == codeMissingCapability:
		var data struct {
			Required struct {
				Extensions map[string]json.RawMessage `json:"extensions"`
			} `json:"requiredCapabilities"`
		}
		if json.Unmarshal(rpc.Err.Data, &data) == nil && data.Required.Extensions[mcp.TasksExtension] != nil {
			return "it is only to be had as a task: leave --no-task out, or use 'mcpq call'"
		}
	}
	return ""
}
