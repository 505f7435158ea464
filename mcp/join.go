package mcp

import (
	"bytes"
	"encoding/json"
	"io"

	"mcpq/internal/rawjson"
)

// Joiner writes pages as one result object while they come: the items of all
// under the other members of the first, without nextCursor. A list of one page
// is that page's object as it came. The Joiner holds one page at most.
type Joiner struct {
	w     io.Writer
	first *Page
	begun bool   // first has been written
	some  bool   // items have been written
	tail  []byte // what follows the items
}

// NewJoiner returns a Joiner that writes to w.
func NewJoiner(w io.Writer) *Joiner { return &Joiner{w: w} }

// Add takes the next page of the list.
func (j *Joiner) Add(p *Page) error {
	if j.first == nil {
		j.first = p
		return nil
	}
	if err := j.begin(); err != nil {
		return err
	}
	return j.write(p.array())
}

// Close writes what is left to write.
func (j *Joiner) Close() error {
	rest := j.tail
	switch {
	case j.begun:
	case j.first != nil:
		rest = j.first.Raw
	default:
		rest = []byte("{}")
	}
	_, err := j.w.Write(rest)
	return err
}

// begin writes the first page up to its last item.
func (j *Joiner) begin() error {
	if j.begun {
		return nil
	}
	j.begun = true
	object, err := rawjson.ParseObject(j.first.Raw)
	if err != nil {
		return err
	}
	key := j.first.List.Key()
	object = object.Set(key, json.RawMessage("[")).Delete("nextCursor")
	n := len(object)
	for n > 1 && object[n-1].Key != key { // Set has put it somewhere
		n--
	}
	head := object[:n].Raw()
	j.tail = object[n:].Append([]byte("]"))
	if j.tail[1] = ','; n == len(object) {
		j.tail = []byte("]}")
	}
	if _, err := j.w.Write(head[:len(head)-len("}")]); err != nil {
		return err
	}
	return j.write(j.first.array())
}

// write writes the items of a list, which is compact, in one piece.
func (j *Joiner) write(list json.RawMessage) error {
	if len(list) <= len("[]") {
		return nil
	}
	if j.some {
		if _, err := io.WriteString(j.w, ","); err != nil {
			return err
		}
	}
	j.some = true
	_, err := j.w.Write(list[1 : len(list)-1])
	return err
}

// Join makes one result object of several pages, as a [Joiner] does.
func Join(pages []*Page) (json.RawMessage, error) {
	if len(pages) == 1 {
		return pages[0].Raw, nil
	}
	size := 0
	for _, p := range pages {
		size += len(p.Raw)
	}
	var out bytes.Buffer
	out.Grow(size + len("{}"))
	j := NewJoiner(&out)
	for _, p := range pages {
		if err := j.Add(p); err != nil {
			return nil, err
		}
	}
	err := j.Close()
	return out.Bytes(), err
}
