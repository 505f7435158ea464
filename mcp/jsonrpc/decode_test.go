package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func decodeAll(d *Decoder, r io.Reader) ([]*Message, error) {
	var messages []*Message
	err := d.Decode(r, func(m *Message) { messages = append(messages, m) })
	return messages, err
}

func TestDecode(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	for _, tt := range []struct {
		name, in string
		want     []*Message
	}{
		{"request", `{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1e400}}`,
			[]*Message{{ID: `"a"`, Method: "m", Params: raw(`{"x":1e400}`)}}},
		{"notification", `{"jsonrpc":"2.0","method":"m"}`, []*Message{{Method: "m"}}},
		{"result", "\t{ \"jsonrpc\" : \"2.0\",\r\n\"id\" : 1, \"result\" : { \"b\" : 0.10, \"a\" : [ 1 ] } } ",
			[]*Message{{ID: "1", Result: raw(`{"b":0.10,"a":[1]}`)}}},
		{"id last", `{"result":{},"jsonrpc":"2.0","id":1}`, []*Message{{ID: "1", Result: raw(`{}`)}}},
		{"null result", `{"jsonrpc":"2.0","id":1,"result":null}`, []*Message{{ID: "1", Result: raw(`null`)}}},
		{"error", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":{"z":1.0}}}`,
			[]*Message{{ID: "1", Error: &Error{Code: -32601, Message: "no", Data: raw(`{"z":1.0}`), Raw: raw(`{"code":-32601,"message":"no","data":{"z":1.0}}`)}}}},
		{"error without id", `{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}`,
			[]*Message{{Error: &Error{Code: 1, Message: "no", Raw: raw(`{"code":1,"message":"no"}`)}}}},
		{"null error beside a result", `{"jsonrpc":"2.0","id":1,"error":null,"result":2}`,
			[]*Message{{ID: "1", Result: raw(`2`)}}},
		{"escaped names", `{"jsonrpc":"2.0","\u0069d":1,"method":"a\u002fb"}`, []*Message{{ID: "1", Method: "a/b"}}},
		{"other members", `{"jsonrpc":"2.0","x":[{"id":7}],"id":1,"result":{}}`, []*Message{{ID: "1", Result: raw(`{}`)}}},
		{"batch", `[{"jsonrpc":"2.0","method":"m"}, {"jsonrpc":"2.0","id":1,"result":{}}]`,
			[]*Message{{Method: "m"}, {ID: "1", Result: raw(`{}`)}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"whole":      strings.NewReader(tt.in),
				"in bytes":   iotest.OneByteReader(strings.NewReader(tt.in)),
				"cut behind": io.MultiReader(strings.NewReader(tt.in), iotest.ErrReader(io.ErrUnexpectedEOF)),
				"large": io.MultiReader(strings.NewReader(strings.Repeat(" ", 2*smallFrame)+tt.in),
					iotest.ErrReader(io.ErrUnexpectedEOF)),
			} {
				got, err := decodeAll(new(Decoder), r)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s: (-want +got)\n%s", name, diff)
				}
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	const noise = "noise"
	for _, tt := range []struct {
		name, in string
		id       ID
		reason   string // or noise
	}{
		{"text", "Server listening on :80", "", noise},
		{"string", `"ready"`, "", noise},
		{"number", "12", "", noise},
		{"log in brackets", "[info] ready", "", noise},
		{"empty array", "[]", "", noise},
		{"array of numbers", "[1,2]", "", noise},
		{"empty object", "{}", "", noise},
		{"structured log", `{"level":"error","error":"boom","id":"7","ts":1}`, "", noise},
		{"structured log of a request", `{"method":"GET","id":3,"path":"/"}`, "", noise},
		{"structured log of a result", `{"level":"info","result":"ok"}`, "", noise},
		{"broken log", `{"level":"info"`, "", noise},
		{"deep log", strings.Repeat("[", 20000), "", noise},
		{"no jsonrpc", `{"id":1,"result":{}}`, "1", "no jsonrpc member"},
		{"no jsonrpc, no id", `{"result":{}}`, "", "no jsonrpc member"},
		{"no jsonrpc in an error", `{"error":{"code":1,"message":"x"}}`, "", "no jsonrpc member"},
		{"wrong version", `{"jsonrpc":"1.0","id":1,"result":{}}`, "1", `jsonrpc is "1.0"`},
		{"numeric version", `{"jsonrpc":2.0,"id":1,"result":{}}`, "1", `jsonrpc is 2.0`},
		{"neither", `{"jsonrpc":"2.0","id":1}`, "1", "neither result nor error"},
		{"both", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`, "1", "both result and error"},
		{"request and response", `{"jsonrpc":"2.0","id":1,"method":"x","result":{}}`, "1", "both a request and a response"},
		{"two results", `{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`, "1", "more than one result"},
		{"two ids", `{"jsonrpc":"2.0","id":1,"result":{},"id":2}`, "1", "more than one id"},
		{"result without id", `{"jsonrpc":"2.0","result":{}}`, "", "without id"},
		{"method is no string", `{"jsonrpc":"2.0","method":5}`, "", "method is 5"},
		{"error is a string", `{"jsonrpc":"2.0","id":1,"error":"x"}`, "1", "not an error object"},
		{"error without code", `{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}`, "1", "no code"},
		{"error code is no integer", `{"jsonrpc":"2.0","id":1,"error":{"code":1.5}}`, "1", "not an integer"},
		{"ends in the middle", `{"jsonrpc":"2.0","id":1,"result":{"a":`, "1", "ends in the middle"},
		{"broken", `{"jsonrpc":"2.0","id":1,"result":{"a":}}`, "1", "invalid json"},
		{"too deep", `{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat("[", 20000), "1", "nested too deep"},
		{"something behind it", `{"jsonrpc":"2.0","id":1,"result":{}} x`, "1", "invalid json at byte 37"},
		{"two in one frame", `{"jsonrpc":"2.0","id":1,"result":{}}{}`, "1", "after the end"},
		{"batch with a number", `[{"jsonrpc":"2.0","method":"m"},1]`, "", "want an object"},
		{"batch with an object", `[{"jsonrpc":"2.0","method":"m"},{}]`, "", "element 1 of the batch"},
		{"broken batch", `[{"jsonrpc":"2.0","id":1,"result":{}},`, "", "ends in the middle"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			messages, err := decodeAll(new(Decoder), strings.NewReader(tt.in))
			if len(messages) > 0 {
				t.Errorf("%d messages were given out of a frame that is not sound", len(messages))
			}
			var notJSON *NotJSONError
			var malformed *MalformedError
			switch {
			case tt.reason == noise:
				if !errors.As(err, &notJSON) {
					t.Errorf("error is %v, want *NotJSONError", err)
				}
			case !errors.As(err, &malformed):
				t.Errorf("error is %v, want *MalformedError", err)
			case malformed.ID != tt.id || !strings.Contains(malformed.Reason, tt.reason):
				t.Errorf("id %q, reason %q; want %q, %q", malformed.ID, malformed.Reason, tt.id, tt.reason)
			}
		})
	}
}

func TestDecodeNothing(t *testing.T) {
	for _, in := range []string{"", " \r\n"} {
		if _, err := decodeAll(new(Decoder), strings.NewReader(in)); err != io.EOF {
			t.Errorf("%q: error is %v, want io.EOF", in, err)
		}
	}
}

// A frame that the source did not bring to its end is no fault of who wrote it.
func TestDecodeCutOff(t *testing.T) {
	whole := `{"jsonrpc":"2.0","id":1,"result":{"a":"` + strings.Repeat("x", 2*smallFrame) + `"}}`
	lost := errors.New("connection reset")
	for _, n := range []int{0, 1, 30, smallFrame, smallFrame + 1, len(whole) - 1} {
		_, err := decodeAll(new(Decoder), io.MultiReader(strings.NewReader(whole[:n]), iotest.ErrReader(lost)))
		if err != lost {
			t.Errorf("cut after %d bytes: error is %v, want %v", n, err, lost)
		}
	}
}

func bigResult(size int) string { return `{"text":"` + strings.Repeat("x", size) + `"}` }

func TestDecodeStreams(t *testing.T) {
	big, small := bigResult(3*InlineResult), bigResult(InlineResult/2)
	for _, tt := range []struct {
		name, in string
		asked    []ID
		want     string
	}{
		{"id first", `{"jsonrpc":"2.0","id":1,"result":` + big + `}`, []ID{"1"}, big},
		{"id last", `{"result":` + big + `,"jsonrpc":"2.0","id":1}`, []ID{""}, big},
		{"small", `{"jsonrpc":"2.0","id":1,"result":` + small + `}`, nil, ""},
		{"in a batch", `[{"jsonrpc":"2.0","id":1,"result":` + big + `}]`, []ID{"1"}, big},
	} {
		for _, copying := range []string{"WriteTo", "Read"} {
			t.Run(tt.name+"/"+copying, func(t *testing.T) {
				var asked []ID
				var got bytes.Buffer
				d := &Decoder{Result: func(id ID) func(io.Reader) error {
					asked = append(asked, id)
					return func(r io.Reader) error {
						if copying == "Read" {
							r = struct{ io.Reader }{r}
						}
						_, err := io.Copy(&got, r)
						return err
					}
				}}
				messages, err := decodeAll(d, strings.NewReader(tt.in))
				if err != nil || len(messages) != 1 {
					t.Fatalf("%d messages, error %v", len(messages), err)
				}
				if m := messages[0]; m.ID != "1" || m.Streamed != (tt.want != "") || m.Streamed != (m.Result == nil) {
					t.Errorf("id %q, streamed %v, %d bytes held", m.ID, m.Streamed, len(m.Result))
				}
				if got.String() != tt.want || !cmp.Equal(asked, tt.asked) {
					t.Errorf("%d bytes streamed, want %d; asked for %q", got.Len(), len(tt.want), asked)
				}
			})
		}
	}
}

func TestDecodeSinkDeclines(t *testing.T) {
	big := bigResult(3 * InlineResult)
	d := &Decoder{Result: func(ID) func(io.Reader) error { return nil }}
	messages, err := decodeAll(d, strings.NewReader(`{"jsonrpc":"2.0","id":1,"result":`+big+`}`))
	if err != nil || string(messages[0].Result) != big || messages[0].Streamed {
		t.Errorf("error %v", err)
	}
}

func TestDecodeSinkFails(t *testing.T) {
	full := errors.New("disk full")
	lost := errors.New("connection reset")
	in := `{"jsonrpc":"2.0","id":1,"result":` + bigResult(3*InlineResult)
	for _, tt := range []struct {
		name string
		tail io.Reader
		sink func(io.Reader) error
		want error // the sink's when it is in a *SinkError
	}{
		{"at once", strings.NewReader("}"), func(io.Reader) error { return full }, full},
		{"in a write", strings.NewReader("}"), func(r io.Reader) error {
			_, err := io.Copy(failAfter(1, full), r)
			return err
		}, full},
		{"because the frame did", iotest.ErrReader(lost), func(r io.Reader) error {
			_, err := io.Copy(io.Discard, r)
			return fmt.Errorf("save: %w", err)
		}, lost},
		{"because the frame did, read", iotest.ErrReader(lost), func(r io.Reader) error {
			_, err := io.ReadAll(r)
			return err
		}, lost},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &Decoder{Result: func(ID) func(io.Reader) error { return tt.sink }}
			source := io.MultiReader(strings.NewReader(in), tt.tail)
			if tt.want == lost {
				source = io.MultiReader(strings.NewReader(in[:len(in)-100]), tt.tail)
			}
			_, err := decodeAll(d, source)
			var sink *SinkError
			if errors.As(err, &sink) != (tt.want == full) || !errors.Is(err, tt.want) {
				t.Errorf("error is %#v", err)
			}
		})
	}
}

// failAfter accepts n writes.
func failAfter(n int, err error) io.Writer {
	return writerFunc(func(p []byte) (int, error) {
		if n--; n < 0 {
			return 0, err
		}
		return len(p), nil
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestDecodeBound(t *testing.T) {
	text := `"` + strings.Repeat("x", 900) + `"`
	for _, tt := range []struct{ name, in string }{
		{"result", `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 1000) + `"}`},
		{"together", `{"jsonrpc":"2.0","id":1,"error":` + text + `,"result":` + text + `}`},
		{"used up", `{"jsonrpc":"2.0","id":1,"params":"` + strings.Repeat("x", 990) + `","result":` + text + `}`},
		{"batch", `[` + strings.Repeat(`{"jsonrpc":"2.0","id":1,"result":1},`, 50) + `1]`},
	} {
		for _, d := range []*Decoder{{Max: 1000}, {Max: 1000, Trace: func([]byte) {}}} {
			var tooLarge *TooLargeError
			_, err := decodeAll(d, strings.NewReader(tt.in))
			if !errors.As(err, &tooLarge) || tooLarge.Max != 1000 {
				t.Errorf("%s: error is %v", tt.name, err)
			}
		}
	}
	messages, err := decodeAll(&Decoder{Max: 1000}, strings.NewReader(`{"jsonrpc":"2.0","id":1,"x":"`+strings.Repeat("x", 5000)+`","result":1}`))
	if err != nil || len(messages) != 1 {
		t.Errorf("what is not held counted: %v", err)
	}
}

func TestDecodeTrace(t *testing.T) {
	for in, want := range map[string]string{
		"{\"jsonrpc\":\"2.0\",\n \"method\":\"a\\/b\"}": `{"jsonrpc":"2.0","method":"a\/b"}`,
		"listening\ton":              `"listening\ton"`,
		`{"jsonrpc":"2.0","result":`: `"{\"jsonrpc\":\"2.0\",\"result\":"`,
		" ":                          "",
	} {
		var got []byte
		d := &Decoder{Trace: func(m []byte) { got = m }}
		_, _ = decodeAll(d, strings.NewReader(in))
		if string(got) != want {
			t.Errorf("%q was shown as %s, want %s", in, got, want)
		}
	}
}

func TestAppend(t *testing.T) {
	for _, want := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"m"}`,
		`{"jsonrpc":"2.0","id":"x","method":"a\"b","params":{"n":1.0}}`,
		`{"jsonrpc":"2.0","method":"m","params":[]}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"<m>","data":null}}`,
	} {
		messages, err := decodeAll(new(Decoder), strings.NewReader(want))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(messages[0].Append(nil)); got != want {
			t.Errorf("%s came back as %s", want, got)
		}
	}
}

// FuzzDecode checks that whatever a frame holds, either all of it is judged
// sound or nothing of it is given out, in the same way however it arrives.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"a":[1,2,{"b":null}]}}`,
		`{"result":{},"jsonrpc":"2.0","id":"x"}`,
		`[{"jsonrpc":"2.0","method":"m","params":{}},{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}]`,
		`{"jsonrpc":"2.0","id":1,"result":{}}garbage`, "noise", "[1]", `{"id"`, "\xef\xbb\xbf{}", "{\"\xff\":1}",
	} {
		f.Add([]byte(seed), 7)
	}
	f.Fuzz(func(t *testing.T, in []byte, pad int) {
		messages, err := decodeAll(new(Decoder), bytes.NewReader(in))
		if err != nil && len(messages) > 0 {
			t.Errorf("%d messages out of a frame with error %v", len(messages), err)
		}
		if err == nil && !json.Valid(bytes.TrimPrefix(in, []byte("\xef\xbb\xbf"))) {
			t.Errorf("%q was taken, and is no JSON", in)
		}
		for _, m := range messages {
			again, err := decodeAll(new(Decoder), bytes.NewReader(m.Append(nil)))
			if err != nil || len(again) != 1 {
				t.Fatalf("%s is not read again: %v", m.Append(nil), err)
			}
			if string(again[0].Append(nil)) != string(m.Append(nil)) {
				t.Errorf("%s became %s", m.Append(nil), again[0].Append(nil))
			}
		}
		slow, slowErr := decodeAll(new(Decoder), iotest.OneByteReader(bytes.NewReader(in)))
		// The large path, which has to come to the same judgement.
		padded := append(bytes.Repeat([]byte(" "), smallFrame+pad&0xff), in...)
		large, largeErr := decodeAll(new(Decoder), bytes.NewReader(padded))
		if diff := cmp.Diff(messages, slow); diff != "" || (err == nil) != (slowErr == nil) {
			t.Errorf("in bytes: %v, %v\n%s", err, slowErr, diff)
		}
		if bytes.HasPrefix(in, []byte("\xef\xbb\xbf")) {
			return // it is no byte order mark behind the padding
		}
		if diff := cmp.Diff(messages, large); diff != "" || (err == nil) != (largeErr == nil) {
			t.Errorf("as a stream: %v, %v\n%s", err, largeErr, diff)
		}
	})
}
