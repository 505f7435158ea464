package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"mcpq/mcp/jsonrpc"
	"mcpq/mcp/transport"
)

// A transcript is a txtar file of three parts. "script" is what the client is
// told to do, see scriptRun.do. "wire" is what then goes over the wire: lines
// that begin with > are those of the client, byte for byte; < those of the
// server, which it sends as soon as the client has sent what stands before;
// "wait 4s" lets the server take its time and "close" ends the connection.
// "told" is what the client's caller gets to see.
//
// To write one, leave a line with > where the client is to speak, and run the
// tests with -update.

func TestTranscripts(t *testing.T) {
	folders, err := filepath.Glob("testdata/wire/*")
	if err != nil || len(folders) != len(Versions()) {
		t.Fatalf("%d folders of transcripts for %d versions (%v)", len(folders), len(Versions()), err)
	}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no transcripts (%v)", folder, err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/wire/"), ".txtar")
			t.Run(name, func(t *testing.T) {
				archive, err := txtar.ParseFile(file)
				if err != nil {
					t.Fatal(err)
				}
				var wire, told string
				synctest.Test(t, func(t *testing.T) {
					wire, told = play(t, section(t, archive, "script"), section(t, archive, "wire"))
				})
				for part, got := range map[string]string{"wire": wire, "told": told} {
					if *update {
						setSection(archive, part, got)
					} else if diff := cmp.Diff(section(t, archive, part), got); diff != "" {
						t.Errorf("%s (-want +got):\n%s", part, diff)
					}
				}
				if *update {
					if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				checkWire(t, strings.Split(name, "/")[0], wire)
			})
		}
	}
}

func section(t *testing.T, a *txtar.Archive, name string) string {
	t.Helper()
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	if !*update || name != "told" {
		t.Fatalf("no part named %s", name)
	}
	return ""
}

func setSection(a *txtar.Archive, name, text string) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = []byte(text)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
}

// play runs a script against the server of a transcript. It returns what went
// over the wire and what the caller was told.
func play(t *testing.T, script, wire string) (wireGot, told string) {
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	stream := jsonrpc.NewStream(clientIn, clientOut, func() error {
		return errors.Join(clientOut.Close(), clientIn.Close())
	})
	played := make(chan string, 1)
	go func() {
		got := playServer(wire, serverIn, serverOut)
		_ = serverOut.Close() // a pipe's Close cannot fail
		played <- got
	}()
	run := &scriptRun{t: t, dialer: transport.Stream{Label: "stdio", Stream: stream}}
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			run.do(line)
		}
	}
	run.close()
	_ = clientOut.Close() // also when there never was a client
	return <-played, run.text()
}

// playServer is the server's side. What it returns is the wire as it was.
func playServer(wire string, in io.Reader, out io.Writer) string {
	var got bytes.Buffer
	lines := bufio.NewReader(in)
	read := func() bool {
		line, err := lines.ReadString('\n')
		if err == nil {
			got.WriteString("> " + line)
		}
		return err == nil
	}
	for line := range strings.Lines(wire) {
		text := strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(text, ">"):
			if !read() {
				got.WriteString("(the client has left)\n")
				return got.String()
			}
			continue
		case strings.HasPrefix(text, "< "):
			if _, err := io.WriteString(out, text[2:]+"\n"); err != nil {
				got.WriteString("(the client has left)\n")
				return got.String()
			}
		case strings.HasPrefix(text, "wait "):
			d, err := time.ParseDuration(text[5:])
			if err != nil {
				return err.Error()
			}
			time.Sleep(d) // of the bubble's clock
		case text == "close":
			got.WriteString(line)
			return got.String()
		}
		got.WriteString(line)
	}
	for read() { // what was not foreseen shows in the comparison
	}
	return got.String()
}

// errStop is the cause with which the "stop" command ends a call.
var errStop = errors.New("stopped by the user")

// during gives the context of a command: after stop it is cancelled.
func during(stop time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	if stop <= 0 {
		return ctx, func() { cancel(nil) }
	}
	timer := time.AfterFunc(stop, func() { cancel(errStop) })
	return ctx, func() { timer.Stop(); cancel(nil) }
}

func describe(err error) string {
	return fmt.Sprintf("%T: %v", err, err)
}
