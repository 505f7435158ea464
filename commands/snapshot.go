package commands

import (
	"context"
	"encoding/json"
	"errors"

	"mcpq/internal/apidiff"
	"mcpq/internal/rawjson"
	"mcpq/mcp"
)

// SnapshotCmd prints what a server says of itself and all that it lists, as one
// canonical document.
type SnapshotCmd struct {
	OutFlags
}

// Run prints the document.
func (c *SnapshotCmd) Run(ctx context.Context, r *runner) (err error) {
	r.anew = true
	target, err := r.prepare()
	if err == nil {
		err = c.OutFlags.open(r, false)
	}
	if err != nil {
		return err
	}
	defer r.closeSaving(&err)
	client, err := r.connect(ctx, target)
	if err != nil {
		return err
	}
	raw, err := snapshot(ctx, client, func(mcp.List) bool { return true })
	if err != nil {
		return err
	}
	return r.print(ctx, raw)
}

// snapshot asks a server for the lists that are wanted and that it offers.
func snapshot(ctx context.Context, client *mcp.Client, wanted func(mcp.List) bool) (json.RawMessage, error) {
	info := client.Info()
	s := &apidiff.Snapshot{
		ProtocolVersion:   info.ProtocolVersion,
		SupportedVersions: info.SupportedVersions,
		ServerInfo:        info.ServerInfo,
		Capabilities:      info.Capabilities,
		Instructions:      info.Instructions,
	}
	methods := make(map[string]string)
	for _, l := range []struct {
		list  mcp.List
		items *[]json.RawMessage
	}{{mcp.ListTools, &s.Tools}, {mcp.ListPrompts, &s.Prompts}, {mcp.ListResources, &s.Resources}, {mcp.ListTemplates, &s.ResourceTemplates}} {
		methods[l.list.Key()] = string(l.list)
		if !wanted(l.list) {
			continue
		}
		for page, err := range client.Pages(ctx, l.list, nil) {
			if err != nil && offersNot(err) && len(*l.items) == 0 {
				break
			}
			if err != nil {
				return nil, err
			}
			*l.items = append(*l.items, page.Items()...)
		}
	}
	raw, err := s.Encode()
	var item *apidiff.ItemError
	var syntax *rawjson.SyntaxError
	switch {
	case errors.As(err, &item):
		return nil, &mcp.ProtocolError{Method: methods[item.List], Reason: item.Error(), Err: err}
	case errors.As(err, &syntax):
		return nil, &mcp.ProtocolError{Method: "the lists", Reason: "they are nested too deep", Err: err}
	}
	return raw, err
}
