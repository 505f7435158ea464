// Package answers is what the servers of the benchmark say. Large results are
// generated while they are written, so that a server costs as little as it can.
package answers

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The long list of tools: Tools in all, PageSize a page. The cursor of a page is
// the number of its first tool.
const (
	Tools    = 10_000
	PageSize = 100
)

// request is what a server needs to know of a message.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Cursor    string `json:"cursor"`
		Name      string `json:"name"`
		Arguments struct {
			Bytes int `json:"bytes"`
		} `json:"arguments"`
	} `json:"params"`
}

// Write answers the message to w, without a line end. A notification gets no
// answer, and wrote is false. Long makes tools/list the long list.
func Write(w io.Writer, message []byte, long bool) (wrote bool, err error) {
	var r request
	if err := json.Unmarshal(message, &r); err != nil {
		return false, err
	}
	if r.ID == nil {
		return false, nil
	}
	const (
		complete = `"resultType":"complete"`
		cache    = complete + `,"ttlMs":3600000,"cacheScope":"public"`
	)
	head := `{"jsonrpc":"2.0","id":` + string(r.ID) + `,`
	switch r.Method {
	case "initialize":
		_, err = io.WriteString(w, head+`"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}}`)
	case "server/discover":
		_, err = io.WriteString(w, head+`"result":{`+cache+`,"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{}}}}`)
	case "ping":
		_, err = io.WriteString(w, head+`"result":{}}`)
	case "tools/list":
		if !long {
			_, err = io.WriteString(w, head+`"result":{`+cache+`,"tools":[`+textTool+`]}}`)
			break
		}
		// Never from the client's cache: what is measured is the way of the pages.
		err = writePage(w, head+`"result":{`+complete+`,"ttlMs":0,"cacheScope":"private",`, r.Params.Cursor)
	case "tools/call":
		if _, err = io.WriteString(w, head+`"result":{`+complete+`,"content":[{"type":"text","text":"`); err != nil {
			break
		}
		if err = fill(w, r.Params.Arguments.Bytes); err == nil {
			_, err = io.WriteString(w, `"}]}}`)
		}
	default:
		_, err = io.WriteString(w, head+`"error":{"code":-32601,"message":"Method not found"}}`)
	}
	return true, err
}

const textTool = `{"name":"text","description":"Returns a text of so many bytes.","inputSchema":{"type":"object","properties":{"bytes":{"type":"integer"}},"required":["bytes"]}}`

func writePage(w io.Writer, head, cursor string) error {
	first := 0
	if cursor != "" {
		n, err := strconv.Atoi(cursor)
		if err != nil {
			return err
		}
		first = n
	}
	last := min(first+PageSize, Tools)
	if _, err := io.WriteString(w, head+`"tools":[`); err != nil {
		return err
	}
	for i := first; i < last; i++ {
		separator := ","
		if i == first {
			separator = ""
		}
		_, err := fmt.Fprintf(w, `%s{"name":"tool-%d","description":"Tool number %d of a long list.","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`, separator, i, i)
		if err != nil {
			return err
		}
	}
	end := "]}}"
	if last < Tools {
		end = fmt.Sprintf(`],"nextCursor":"%d"}}`, last)
	}
	_, err := io.WriteString(w, end)
	return err
}

// fill writes n bytes of text with some escapes in it, as real text has. The end
// is padded, lest it cut an escape.
func fill(w io.Writer, n int) error {
	block := []byte(strings.Repeat(`The quick brown fox jumps over \"the\" lazy dog.\n`, 650))
	for ; n >= len(block); n -= len(block) {
		if _, err := w.Write(block); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, strings.Repeat(".", n))
	return err
}
