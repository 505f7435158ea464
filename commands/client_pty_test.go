//go:build linux

package commands_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const patience = 20 * time.Second

const formParams = `{"message":"Who?","requestedSchema":{"type":"object","properties":{` +
	`"name":{"type":"string","minLength":2},"likes":{"type":"array","items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}}},"required":["name"]}}`

// A person fills in a form, in both eras.
func TestTerminalForm(t *testing.T) {
	scripts := map[string]string{
		"stateful": "era stateful\ntool ask\non tools/call ask\n\trequest elicitation/create " + formParams +
			"\n\tresult {\"content\":[],\"structuredContent\":$ANSWER}\n",
		"stateless": "era stateless\ntool ask\non tools/call ask #2\n\tresult {\"resultType\":\"complete\",\"content\":[],\"structuredContent\":$PARAMS}\n" +
			"on tools/call ask\n\tresult {\"resultType\":\"input_required\",\"inputRequests\":{\"k\":{\"method\":\"elicitation/create\",\"params\":" + formParams + "}}}\n",
	}
	for era, script := range scripts {
		t.Run(era, func(t *testing.T) {
			url, record := peer(t, script)
			s, _ := onTerminal(t, "call", "ask", "-s", url, "-c")
			s.expect(`server ` + regexp.QuoteMeta(url) + ` \(mcptest\) asks:`)
			s.expect(`1/2 name \(text, at least 2 characters, required\)\r\n> `)
			s.send("A\n")
			s.expect(`! got 1 characters, want at least 2`)
			s.send("Ada\n")
			s.expect(`1\) Red\r\n  2\) Green\r\n> `)
			s.send("green, 1\n")
			s.expect(`2\) likes: Green, Red\r\nSend this\?`)
			s.send("y\n")
			s.exits(0)
			if want := `{"action":"accept","content":{"name":"Ada","likes":["g","r"]}}`; !strings.Contains(record.String(), want) {
				t.Errorf("%s was not sent:\n%s", want, record)
			}
		})
	}
}

// Ctrl-D cancels the form and the run goes on; Ctrl-C ends the run as well.
func TestTerminalCancelled(t *testing.T) {
	script := "era stateful\ntool ask\non tools/call ask\n\trequest elicitation/create " + formParams + "\n\tresult {\"content\":[],\"structuredContent\":$ANSWER}\n"
	t.Run("end of input", func(t *testing.T) {
		url, _ := peer(t, script)
		s, _ := onTerminal(t, "call", "ask", "-s", url, "-c")
		s.expect(`required\)\r\n> `)
		s.send("\x04")
		s.expect(`"structuredContent":\{"action":"cancel"\}`)
		s.exits(0)
	})
	t.Run("interrupt", func(t *testing.T) {
		url, record := peer(t, script)
		s, _ := onTerminal(t, "call", "ask", "-s", url, "-c")
		s.expect(`required\)\r\n> `)
		s.send("\x03")
		s.expect(`mcpq: interrupted`)
		s.exits(130)
		if !strings.Contains(record.String(), `"method":"notifications/cancelled"`) {
			t.Errorf("the call was not cancelled:\n%s", record)
		}
	})
	t.Run("taken back by the server", func(t *testing.T) {
		url, record := peer(t, "era stateful\ntool ask\non tools/call ask\n"+
			"\tsend {\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"elicitation/create\",\"params\":"+formParams+"}\n"+
			"\twait 300ms\n\tnotify notifications/cancelled {\"requestId\":77}\n\twait 100ms\n\tresult {\"content\":[]}\n")
		s, _ := onTerminal(t, "call", "ask", "-s", url, "-c")
		s.expect(`required\)\r\n> `)
		s.expect(`mcpq: warning: the server took its question back`)
		s.exits(0)
		if strings.Contains(record.String(), `"id":77,"`) {
			t.Errorf("a question that was taken back is answered:\n%s", record)
		}
	})
}

// With data to begin with, a person still has the last word.
func TestTerminalPrefilled(t *testing.T) {
	url, _ := peer(t, "era stateful\ntool ask\non tools/call ask\n\trequest elicitation/create "+formParams+"\n\tresult {\"content\":[],\"structuredContent\":$ANSWER}\n")
	s, _ := onTerminal(t, "call", "ask", "-s", url, "-c", "--elicit", "ask", "--elicit-data", `{"name":"Eve"}`)
	s.expect(`\[Eve\] > `)
	s.send("\n")
	s.expect(`Green\r\n> `)
	s.send("\n")
	s.expect(`Send this\?`)
	s.send("y\n")
	s.expect(`"content":\{"name":"Eve"\}`)
	s.exits(0)
}

const visit = "https://user@xn--pypal-4ve.example:8443/connect?e=1"

// A page is opened after consent, and only then.
func TestTerminalVisit(t *testing.T) {
	script := fmt.Sprintf("era stateful\ntool go\non tools/call go\n\trequest elicitation/create "+
		`{"mode":"url","message":"Connect\u001b[2J","elicitationId":"e1","url":%q}`+"\n\tresult {\"content\":[],\"structuredContent\":$ANSWER}\n", visit)
	tests := []struct {
		typed, action string
		opens         bool
	}{{"yes\n", "accept", true}, {"\nn\n", "decline", false}, {"c\n", "cancel", false}, {"\x04", "cancel", false}}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%q", tt.typed), func(t *testing.T) {
			url, _ := peer(t, script)
			s, opened := onTerminal(t, "call", "go", "-s", url, "-c")
			s.expect(`asks you to open a web page:\r\n  Connect\\x1b\[2J\r\n`)
			s.expect(`URL:  ` + regexp.QuoteMeta(visit) + `\r\n  Host: xn--pypal-4ve.example:8443\r\n`)
			s.expect(`Punycode(.|\r\n)*user name(.|\r\n)*port is unusual(.|\r\n)*\[c\]ancel: `)
			if _, err := os.Stat(opened); err == nil {
				t.Error("opened before consent")
			}
			s.send(tt.typed)
			s.expect(`"structuredContent":\{"action":"` + tt.action + `"\}`)
			s.exits(0)
			data, _ := os.ReadFile(opened)
			if want := map[bool]string{true: visit + "\n"}[tt.opens]; string(data) != want {
				t.Errorf("opened %q, want %q", data, want)
			}
		})
	}
}

// A page that must not be opened is not even asked about.
func TestTerminalVisitRefused(t *testing.T) {
	for _, target := range []string{"http://example.com/", "file:///etc/passwd", "javascript:alert(1)", "https://"} {
		t.Run(target, func(t *testing.T) {
			url, record := peer(t, fmt.Sprintf("era stateful\ntool go\non tools/call go\n\trequest elicitation/create "+
				`{"mode":"url","message":"Connect","elicitationId":"e1","url":%q}`+"\n\tresult {\"content\":[]}\n", target))
			s, opened := onTerminal(t, "call", "go", "-s", url, "-c")
			s.expect(`mcpq: warning: the server asks to open`)
			s.exits(0)
			if !strings.Contains(record.String(), `"code":-32602`) || strings.Contains(s.screen(), "Open it") {
				t.Errorf("sent:\n%s\nshown:\n%s", record, s.screen())
			}
			if _, err := os.Stat(opened); err == nil {
				t.Error("it was opened")
			}
		})
	}
}

// A server of the stateless era asks again until the page is done with.
func TestTerminalVisitAgain(t *testing.T) {
	url, record := peer(t, "era stateless\ntool go\non tools/call go #3\n\tresult {\"resultType\":\"complete\",\"content\":[]}\n"+
		"on tools/call go\n\tresult {\"resultType\":\"input_required\",\"requestState\":\"s$N\",\"inputRequests\":{\"u\":{\"method\":\"elicitation/create\","+
		"\"params\":{\"mode\":\"url\",\"message\":\"Connect\",\"url\":\"https://example.com/x\"}}}}\n")
	s, opened := onTerminal(t, "call", "go", "-s", url, "-c")
	s.expect(`Open it in your browser\?`)
	s.send("y\n")
	s.expect(`still waits for the page at example.com`)
	s.send("o\n")
	s.expect(`Opened in your browser`)
	s.exits(0)
	if data, _ := os.ReadFile(opened); string(data) != "https://example.com/x\nhttps://example.com/x\n" {
		t.Errorf("opened %q", data)
	}
	if strings.Count(record.String(), `"inputResponses":{"u":{"action":"accept"}}`) != 2 {
		t.Errorf("sent:\n%s", record)
	}
}

// A call that requires a visit is made again when the server says that the
// visit is over, or the person does.
func TestTerminalVisitRequired(t *testing.T) {
	const fail = "\terror -32042 \"visit first\" {\"elicitations\":[{\"mode\":\"url\",\"message\":\"Connect\",\"elicitationId\":\"e1\",\"url\":\"https://example.com/x\"}]}\n"
	const ok = "\tresult {\"content\":[{\"type\":\"text\",\"text\":\"connected\"}]}\n"
	t.Run("told by the server", func(t *testing.T) {
		url, _ := peer(t, "era stateful\ntool go\non tools/call go #2\n"+ok+"on tools/call go\n"+fail+
			"on GET\n\tsse\n\twait 300ms\n\tnotify notifications/elicitation/complete {\"elicitationId\":\"e1\"}\n\thang\n")
		s, _ := onTerminal(t, "call", "go", "-s", url, "-c")
		s.expect(`Open it in your browser\?`)
		s.send("y\n")
		s.expect(`The server says that it is done.`)
		s.expect(`connected`)
		s.exits(0)
	})
	t.Run("retried by hand", func(t *testing.T) {
		url, _ := peer(t, "era stateful\ntool go\non tools/call go #3\n"+ok+"on tools/call go\n"+fail)
		s, _ := onTerminal(t, "call", "go", "-s", url, "-c")
		s.expect(`Open it in your browser\?`)
		s.send("y\n")
		s.expect(`\[r\]etry now`)
		s.send("r\n")
		s.expect(`Not yet(.|\r\n)*\[r\]etry now`)
		s.send("r\n")
		s.expect(`connected`)
		s.exits(0)
	})
	t.Run("given up", func(t *testing.T) {
		url, _ := peer(t, "era stateful\ntool go\non tools/call go\n"+fail)
		s, _ := onTerminal(t, "call", "go", "-s", url, "-c")
		s.expect(`Open it in your browser\?`)
		s.send("y\n")
		s.expect(`\[r\]etry now`)
		s.send("c\n")
		s.expect(`error -32042`)
		s.exits(5)
	})
}

// A command that answers may use the terminal, and Ctrl-C there ends the run.
func TestTerminalExec(t *testing.T) {
	url, _ := peer(t, "era stateful\ntool ask\non tools/call ask\n\trequest elicitation/create "+formParams+"\n\tresult {\"content\":[],\"structuredContent\":$ANSWER}\n")
	s, _ := onTerminal(t, "call", "ask", "-s", url, "-c", "--elicit-exec",
		`printf 'name? ' >/dev/tty; read n </dev/tty; echo "{\"action\":\"accept\",\"content\":{\"name\":\"$n\"}}"`)
	s.expect(`name\? `)
	s.send("Zoe\n")
	s.expect(`"content":\{"name":"Zoe"\}`)
	s.exits(0)

	pid := filepath.Join(t.TempDir(), "pid")
	s, _ = onTerminal(t, "call", "ask", "-s", url, "-c", "--elicit-exec", "sleep 60 & echo $! >"+pid+"; echo up >/dev/tty; wait")
	s.expect(`up\r\n`)
	s.send("\x03")
	s.expect(`mcpq: interrupted`)
	s.exits(130)
	data, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); running(child); {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", child)
		}
		<-time.After(5 * time.Millisecond) // the end of a process that is not ours gives no event
	}
}

// A bar on a terminal makes room for logs and leaves nothing behind.
func TestTerminalProgress(t *testing.T) {
	url, _ := peer(t, "era stateful\ntool slow\non tools/call slow\n"+
		"\tnotify notifications/progress {\"progressToken\":$TOKEN,\"progress\":1,\"total\":2,\"message\":\"half\"}\n\twait 250ms\n"+
		"\tnotify notifications/message {\"level\":\"info\",\"data\":\"a log\"}\n\twait 250ms\n"+
		"\tnotify notifications/progress {\"progressToken\":$TOKEN,\"progress\":2,\"message\":\"no total\"}\n\twait 250ms\n\tresult {\"content\":[]}\n")
	s, _ := onTerminal(t, "call", "slow", "-s", url, "-c")
	const erase = "\r\x1b\\[K"
	s.expect(`\[#{12}-{12}\]  50%  1/2  half`)
	s.expect(erase + `\[info\] a log\r\n\[#{12}-{12}\]  50%  1/2  half`)
	s.expect(erase + `[-|/\\] tools/call  2  no total`)
	s.expect(erase + `\{"content":\[\]\}\r\n`)
	s.exits(0)
	if after := s.screen()[s.seen:]; after != "" {
		t.Errorf("%q stands behind the result", after)
	}
}

// A visit takes a person as long as it takes: --timeout is for servers.
func TestTerminalVisitIsPatient(t *testing.T) {
	const params = `{"mode":"url","message":"Connect","elicitationId":"e1","url":"https://example.com/x"}`
	scripts := map[string]string{
		"asked by a request": "era stateful\ntool go\non tools/call go\n\trequest elicitation/create " + params +
			"\n\twait 900ms\n\tresult {\"content\":[]}\n",
		"asked by a result": "era stateless\ntool go\non tools/call go #2\n\twait 900ms\n\tresult {\"resultType\":\"complete\",\"content\":[]}\n" +
			"on tools/call go\n\tresult {\"resultType\":\"input_required\",\"inputRequests\":{\"u\":{\"method\":\"elicitation/create\",\"params\":" + params + "}}}\n",
		"asked by an error": "era stateful\ntool go\non tools/call go #2\n\tresult {\"content\":[]}\n" +
			"on tools/call go\n\terror -32042 \"visit first\" {\"elicitations\":[" + params + "]}\n" +
			"on GET\n\tsse\n\twait 900ms\n\tnotify notifications/elicitation/complete {\"elicitationId\":\"e1\"}\n\thang\n",
	}
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			url, _ := peer(t, script)
			s, _ := onTerminal(t, "call", "go", "-s", url, "-c", "--timeout", "600ms")
			s.expect(`Open it in your browser\?`)
			s.send("y\n")
			s.expect(`"content":\[\]`)
			s.exits(0)
		})
	}
}
