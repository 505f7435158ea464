package transport

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Compressed answers are read, of both kinds.
func TestHTTPGzip(t *testing.T) {
	const message = `{"jsonrpc":"2.0","id":1,"result":{"a":1.0}}`
	for kind, body := range map[string]string{jsonType: message, eventType: "data: " + message + "\n\n"} {
		t.Run(kind, func(t *testing.T) {
			s := serve(t, func(w io.Writer, h http.Header, r *http.Request) {
				if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
					t.Error("gzip is not asked for")
				}
				h.Set("Content-Type", kind)
				h.Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				_, _ = io.WriteString(z, body)
				_ = z.Flush() // the event is there before the stream's end
				if kind == eventType {
					<-r.Context().Done()
				}
				_ = z.Close()
			})
			c := dial(t, HTTP{URL: s.URL}, Peer{})
			if got, err := call(t.Context(), c, Outgoing{}); err != nil || got != `{"a":1.0}` {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

func TestHTTP2(t *testing.T) {
	protocols := make(chan string, 1)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protocols <- r.Proto
		w.Header().Set("Content-Type", jsonType)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	rt := NewRoundTripper()
	rt.TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	c := dial(t, HTTP{URL: s.URL, RoundTripper: rt}, Peer{})
	if got, err := call(t.Context(), c, Outgoing{}); err != nil || got != "{}" {
		t.Errorf("got %s, %v", got, err)
	}
	if got := <-protocols; got != "HTTP/2.0" {
		t.Errorf("it went over %s", got)
	}
}
