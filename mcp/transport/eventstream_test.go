package transport

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// events is all that an event stream says.
type events struct {
	Data  []string // a "!" ends what was cut off
	ID    string
	Retry time.Duration
}

func readEvents(t *testing.T, r io.Reader) events {
	t.Helper()
	e := newEventReader(r)
	var got events
	for {
		data, err := e.Next()
		if err == io.EOF {
			got.ID, got.Retry = e.id, e.retry
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(data)
		if err == io.ErrUnexpectedEOF {
			b = append(b, '!')
		} else if err != nil {
			t.Fatal(err)
		}
		got.Data = append(got.Data, string(b))
	}
}

// parseEvents is the text of WHATWG HTML 9.2.6, with the two liberties of
// eventReader: the type counts from the first data line on, and data that is
// cut off is shown.
func parseEvents(in string) events {
	in = strings.TrimPrefix(in, "\xef\xbb\xbf")
	in = strings.ReplaceAll(in, "\r\n", "\n")
	in = strings.ReplaceAll(in, "\r", "\n")
	got := events{Retry: -1}
	var kind, kindThen string
	var data []string
	var id *string
	lines := strings.Split(in, "\n")
	shown := func() bool { return len(data) > 0 && (kindThen == "" || kindThen == "message") }
	for i, line := range lines {
		ended := i < len(lines)-1
		name, value, colon := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case !ended && name == "data" && colon, ended && name == "data":
			if len(data) == 0 {
				kindThen = kind
			}
			data = append(data, value)
		case !ended: // an unfinished line of another kind says nothing
		case line == "":
			if shown() {
				got.Data = append(got.Data, strings.Join(data, "\n"))
			}
			if id != nil {
				got.ID = *id
			}
			kind, data, id = "", nil, nil
		case name == "event":
			kind = value
		case name == "id" && !strings.Contains(value, "\x00"):
			id = &value
		case name == "retry":
			if ms, err := strconv.ParseUint(value, 10, 31); err == nil {
				got.Retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
	if shown() {
		got.Data = append(got.Data, strings.Join(data, "\n")+"!")
	}
	return got
}

func TestEventReader(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     events
	}{
		{"nothing", "", events{Retry: -1}},
		{"one", "data: a\n\n", events{Data: []string{"a"}, Retry: -1}},
		{"no space", "data:a\n\ndata:  b\n\n", events{Data: []string{"a", " b"}, Retry: -1}},
		{"lines", "data: a\ndata\ndata: b\n\n", events{Data: []string{"a\n\nb"}, Retry: -1}},
		{"all line ends", "data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\ndata: e\r\n\n", events{Data: []string{"a", "b", "c", "d\ne"}, Retry: -1}},
		{"mark, comments and others", "\xef\xbb\xbf: hi\n:\nfoo: x\nDATA: x\ndatax: y\ndata: a\n\n", events{Data: []string{"a"}, Retry: -1}},
		{"priming", "id: s1\ndata:\n\nretry: 500\n\n", events{Data: []string{""}, ID: "s1", Retry: 500 * time.Millisecond}},
		{"retry 0", "retry: 0\n\n", events{}},
		{"bad retry", "retry: 5s\nretry: -1\nretry:\n\n", events{Retry: -1}},
		{"id without data", "id: 7\n\nid\ndata: a\n\nid: 8\n\n", events{Data: []string{"a"}, ID: "8", Retry: -1}},
		{"id of an event cut off", "id: 7\n\nid: 8\ndata: a\n", events{Data: []string{"a!"}, ID: "7", Retry: -1}},
		{"id with NUL", "id: 7\x00\n\n", events{Retry: -1}},
		{"other types", "event: ping\ndata: x\n\nevent: message\ndata: a\n\ndata: b\n\n", events{Data: []string{"a", "b"}, Retry: -1}},
		{"cut off in a line", "data: {\"a", events{Data: []string{"{\"a!"}, Retry: -1}},
		{"cut off in a name", "data: a\n\ndat", events{Data: []string{"a"}, Retry: -1}},
		{"long", "data: " + strings.Repeat("x", 1<<18) + "\n\n", events{Data: []string{strings.Repeat("x", 1<<18)}, Retry: -1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, parseEvents(tt.in)); diff != "" {
				t.Fatalf("the reference is wrong: %s", diff)
			}
			for _, r := range []io.Reader{
				strings.NewReader(tt.in),
				iotest.OneByteReader(strings.NewReader(tt.in)),
				iotest.DataErrReader(strings.NewReader(tt.in)),
			} {
				if diff := cmp.Diff(tt.want, readEvents(t, r)); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			}
		})
	}
}

// What is left of an event unread is skipped, and its id counts all the same.
func TestEventReaderSkips(t *testing.T) {
	e := newEventReader(strings.NewReader("id: 1\ndata: long\ndata: more\n\ndata: b\n\ndata: cut"))
	var got []string
	for {
		data, err := e.Next()
		if err == io.EOF {
			break
		}
		var b [1]byte
		if _, err := data.Read(b[:]); err != nil {
			t.Fatal(err)
		}
		got = append(got, string(b[:]))
	}
	if diff := cmp.Diff([]string{"l", "b", "c"}, got); diff != "" || e.id != "1" {
		t.Errorf("id %q, %s", e.id, diff)
	}
}

func FuzzEventStream(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbfid: 1\r\ndata: a\r\rdata: b\ndata\n\n: c\nretry: 10\nevent: x\ndata: y\n\nda"), uint(5))
	f.Add([]byte("data: a\r\n\r\n\ndata:\r"), uint(8))
	f.Fuzz(func(t *testing.T, in []byte, split uint) {
		if len(in) > maxFieldValue {
			return // longer fields are cut
		}
		split %= uint(len(in) + 1)
		want := parseEvents(string(in))
		for _, r := range []io.Reader{
			bytes.NewReader(in),
			iotest.OneByteReader(bytes.NewReader(in)),
			io.MultiReader(bytes.NewReader(in[:split]), iotest.DataErrReader(bytes.NewReader(in[split:]))),
		} {
			if diff := cmp.Diff(want, readEvents(t, r)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		}
	})
}
