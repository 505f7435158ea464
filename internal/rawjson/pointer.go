package rawjson

import (
	"encoding/json"
	"strconv"
	"strings"
)

// At follows a JSON pointer ("" is all of it) into a document; nil is what is
// not there.
func At(doc json.RawMessage, pointer string) json.RawMessage {
	if pointer != "" && pointer[0] != '/' {
		return nil
	}
	at := doc
	for _, name := range strings.Split(pointer, "/")[1:] {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		switch {
		case len(at) > 0 && at[0] == '{':
			object, err := ParseObject(at)
			if err != nil {
				return nil
			}
			at, _ = object.Get(name)
		case len(at) > 0 && at[0] == '[':
			items, err := Elements(at)
			i, bad := strconv.Atoi(name)
			if err != nil || bad != nil || i < 0 || i >= len(items) {
				return nil
			}
			at = items[i]
		default:
			return nil
		}
	}
	return at
}
