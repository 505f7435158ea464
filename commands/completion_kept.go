package commands

import (
	"encoding/json"
	"slices"
	"time"

	"mcpq/commands/servers"
	"mcpq/internal/diskcache"
	"mcpq/mcp"
)

// keptTime is how long a list is used again while somebody types. It is for
// servers that do not say themselves how long; else each key pressed would
// start a process.
const keptTime = 2 * time.Minute

// keptLists are the lists that completion keeps for itself. A nil one keeps
// nothing.
type keptLists struct {
	store   *diskcache.Store
	server  string
	refresh bool
}

// keptList is a list with the time when it came.
type keptList struct {
	At    int64             `json:"at"` // in ns
	Items []json.RawMessage `json:"items"`
}

// keptLists makes those of one server, with the flags that it is used with.
func (r *runner) keptLists(t *servers.Target, flags []string) *keptLists {
	if r.grammar.NoCache || r.env.CacheDir == nil {
		return nil
	}
	header, err := r.grammar.headers()
	if err != nil {
		return nil
	}
	server := r.identity(t, header)
	store, err := r.answersKept(nil)
	if err != nil || server == "" {
		return nil
	}
	flags = slices.DeleteFunc(flags, func(f string) bool { return f == "--refresh" })
	return &keptLists{
		store:   store,
		server:  fields(server, r.fingerprint(t, header)(), flags, r.knowsTasks),
		refresh: r.grammar.Refresh,
	}
}

func (k *keptLists) key(l mcp.List) string { return digest("completion", k.server, string(l)) }

func (k *keptLists) get(l mcp.List) ([]json.RawMessage, bool) {
	if k == nil || k.refresh {
		return nil, false
	}
	value, ok := k.store.Get(k.key(l))
	var kept keptList
	if !ok || json.Unmarshal(value, &kept) != nil {
		return nil, false
	}
	age := time.Since(time.Unix(0, kept.At))
	return kept.Items, age >= 0 && age < keptTime
}

// put keeps a list. A server of the stateless era has said itself for how long,
// and tasks come and go.
func (k *keptLists) put(l mcp.List, items []json.RawMessage, from *mcp.ServerInfo) {
	if k == nil || l == mcp.ListTasks || from.Era != mcp.Stateful {
		return
	}
	value, err := marshal(keptList{At: time.Now().UnixNano(), Items: items})
	if err == nil {
		k.store.Put(k.key(l), value)
	}
}
