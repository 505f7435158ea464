//go:build linux

package commands_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"mcpq/commands/completion"
)

// shellSetup is what each shell runs at its start: completion is turned on as
// the README says, and Ctrl-O writes the line as it stands into $LINE.
func shellSetup() map[completion.Shell]string {
	return map[completion.Shell]string{
		completion.Bash: `
PS1='$ '
source <(mcpq completion bash)
shown() { printf '%s\n' "$READLINE_LINE" >"$LINE.new" && mv "$LINE.new" "$LINE"; }
bind -x '"\C-o": shown'
printf 'rea%s\n' dy
`,
		completion.Zsh: `
PS1='$ '
autoload -Uz compinit && compinit -u -D
source <(mcpq completion zsh)
shown() { print -r -- "$BUFFER" >"$LINE.new" && mv "$LINE.new" "$LINE" }
zle -N shown
bindkey -e
bindkey '^O' shown
printf 'rea%s\n' dy
`,
		completion.Fish: `
function fish_prompt; echo '$ '; end
function fish_greeting; end
mcpq completion fish | source
function shown; commandline >$LINE.new; and mv $LINE.new $LINE; end
function fish_user_key_bindings; bind \co shown; end
printf 'rea%s\n' dy
`,
	}
}

// inShell starts a shell on a terminal, in a folder with some files and with a
// server of a few tools as MCPQ_SERVER. It skips the test if there is no such
// shell.
func inShell(t *testing.T, shell completion.Shell) (s *session, line string) {
	t.Helper()
	path, err := exec.LookPath(string(shell))
	if err != nil && os.Getenv("MCPQ_REQUIRE_SHELLS") == "1" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	home, work := folder(t), folder(t)
	write := func(name, text string) string {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write(filepath.Join(work, "my file.json"), "{}")
	write(filepath.Join(work, "keys", "ca.pem"), "")
	write(filepath.Join(work, "peer.txt"), shellPeer)
	setup := shellSetup()[shell]
	words := []string{path, "-i"}
	switch shell {
	case completion.Bash:
		words = []string{path, "--noprofile", "--rcfile", write(filepath.Join(home, "rc"), setup), "-i"}
	case completion.Zsh:
		write(filepath.Join(home, ".zshrc"), setup)
	case completion.Fish:
		write(filepath.Join(home, "config", "fish", "config.fish"), setup)
	}
	line = filepath.Join(home, "line")
	s = &session{t: t, exited: make(chan error, 1), changed: make(chan struct{}, 1)}
	s.cmd = &exec.Cmd{Path: words[0], Args: words, Dir: work}
	s.cmd.Env = append(os.Environ(), "TERM=xterm", "LC_ALL=C.UTF-8", "HOME="+home, "ZDOTDIR="+home,
		"XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_CACHE_HOME="+filepath.Join(home, "cache"),
		"XDG_DATA_HOME="+filepath.Join(home, "data"), "LINE="+line, "MCPQ_SERVER=stdio:mcptest-server peer.txt", "MCPQ_COMPLETION_TIME=20s")
	if s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	go s.read()
	go func() { s.exited <- s.cmd.Wait() }()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.tty.Close()
		<-s.exited
	})
	s.expect("ready")
	return s, line
}

// folder is a t.TempDir that bears with processes of a killed shell, which write
// their last while it is taken away.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mcpq")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		const tries, pause = 100, 50 * time.Millisecond
		for i := 0; ; i++ {
			err := os.RemoveAll(dir)
			if err == nil {
				return
			}
			if i == tries {
				t.Error(err)
				return
			}
			<-time.After(pause)
		}
	})
	return dir
}

// The tools that are completed.
const shellPeer = `
on tools/list
	result {"tools":[{"name":"paint","description":"Paint a wall.","inputSchema":{"type":"object","properties":{"colour":{"enum":["red","green"]},"text":{"type":"string"}}}},{"name":"two words"},{"name":"it's"},{"name":"$(touch ran)"},{"name":"a:b=c"},{"name":"dingö"},{"name":"steers\u001b[31m"}]}
`

const (
	keyTab  = "\t"
	keyLeft = "\x1b[D"
	keyShow = "\x0f" // see shellSetup
	keyWipe = "\x05\x15"
)

// TestCompletionInShells types lines into real shells.
func TestCompletionInShells(t *testing.T) {
	type want map[completion.Shell]string
	all := func(line string) want {
		return want{completion.Bash: line, completion.Zsh: line, completion.Fish: line}
	}
	closed := func(line string) want { // bash puts no blank behind the quote
		return want{completion.Bash: line, completion.Zsh: line + " ", completion.Fish: line + " "}
	}
	back := func(n int) string { return strings.Repeat(keyLeft, n) }
	for _, shell := range completion.Shells() {
		t.Run(string(shell), func(t *testing.T) {
			s, line := inShell(t, shell)
			for _, c := range []struct {
				name, keys string
				want       want // a shell that is not named does not take part
			}{
				{"command", "mcpq vers\t", all("mcpq version ")},
				{"sub-command", "mcpq tasks wai\t", all("mcpq tasks wait ")},
				{"flag", "mcpq info --max-b\t", all("mcpq info --max-bytes ")},
				{"value", "mcpq info --format nd\t", all("mcpq info --format ndjson ")},
				{"value in the same word", "mcpq info --format=nd\t", all("mcpq info --format=ndjson ")},
				// fish leaves the blank away behind a colon.
				{"server", "mcpq info -s de\t", want{completion.Bash: "mcpq info -s demo: ", completion.Zsh: "mcpq info -s demo: ", completion.Fish: "mcpq info -s demo:"}},
				{"scheme", "mcpq info -s https\t", all("mcpq info -s https://")},
				{"file", "mcpq info --cacert ke\tca\t", all("mcpq info --cacert keys/ca.pem ")},
				{"file behind a scheme", "mcpq info -s unix:keys/c\t", all("mcpq info -s unix:keys/ca.pem ")},
				{"folder", "mcpq info --cwd k\t", all("mcpq info --cwd keys/")},
				{"file of a redirection", "mcpq info >keys/c\t", all("mcpq info >keys/ca.pem ")},
				{"tool", "mcpq call pa\t", all("mcpq call paint ")},
				{"argument", "mcpq call paint co\t", all("mcpq call paint colour=")},
				{"value of an argument", "mcpq call paint colour=g\t", all("mcpq call paint colour=green ")},
				{"file of an argument", "mcpq call paint text=@my\t", all(`mcpq call paint text=@my\ file.json `)},
				{"resource", "mcpq read -s demo: demo://re\t", all("mcpq read -s demo: demo://readme ")},
				{"template", "mcpq read -s demo: demo://gr\t", all(`mcpq read -s demo: demo://greeting/\{name\} `)},
				{"value of a prompt", "mcpq get-prompt review -s demo: language=g\tframework=c\t", all("mcpq get-prompt review -s demo: language=go framework=chi ")},
				{"blank in a name", "mcpq call tw\t", all(`mcpq call two\ words `)},
				{"blank typed", `mcpq call two\ w` + keyTab, all(`mcpq call two\ words `)},
				{"in double quotes", `mcpq call "two w` + keyTab, closed(`mcpq call "two words"`)},
				{"in single quotes", `mcpq call 'two w` + keyTab, closed(`mcpq call 'two words'`)},
				{"quote in a name", "mcpq call it\t", all(`mcpq call it\'s `)},
				{"command in a name", `mcpq call \$` + keyTab, all(`mcpq call \$\(touch\ ran\) `)},
				{"colon and equals sign", "mcpq call a:b\t", all("mcpq call a:b=c ")},
				{"letter that is not ASCII", "mcpq call di\t", all("mcpq call dingö ")},
				{"file in quotes", `mcpq info --cacert 'my` + keyTab, closed(`mcpq info --cacert 'my file.json'`)},
				// fish does not tell what stands behind the cursor.
				{"server behind the cursor", "mcpq call ec -- mcpq demo" + back(13) + keyTab, want{completion.Bash: "mcpq call echo  -- mcpq demo", completion.Zsh: "mcpq call echo  -- mcpq demo"}},
				{"command of a server", "mcpq info -- mcptest-s\t", all("mcpq info -- mcptest-server ")},
				{"its arguments", "mcpq info -- ls keys/c\t", all("mcpq info -- ls keys/ca.pem ")},
				{"behind another command", "true; mcpq vers\t", all("true; mcpq version ")},
				{"behind a variable", "X=1 mcpq vers\t", all("X=1 mcpq version ")},
				{"nothing", "mcpq call zzz\t", all("mcpq call zzz")},
			} {
				want, ok := c.want[shell]
				if !ok {
					continue
				}
				s.send(keyWipe + c.keys + keyShow)
				if got := lineOf(t, s, line); got != want {
					t.Errorf("%s: %q gives %q, want %q", c.name, c.keys, got, want)
				}
			}
			if _, err := os.Stat(filepath.Join(s.cmd.Dir, "ran")); err == nil {
				t.Error("a tool's name was run as a command")
			}
		})
	}
}

// TestDescriptionsInShells looks at what zsh and fish show beside the names.
func TestDescriptionsInShells(t *testing.T) {
	for _, shell := range []completion.Shell{completion.Zsh, completion.Fish} {
		t.Run(string(shell), func(t *testing.T) {
			s, _ := inShell(t, shell)
			s.send("mcpq call \t\t")
			s.expect(`Paint a wall\.`)
			s.send(keyWipe + "mcpq \t\t")
			s.expect("Check that a server answers, and how fast")
		})
	}
}

// lineOf is the line that the shell has written down.
func lineOf(t *testing.T, s *session, file string) string {
	t.Helper()
	const step = 5 * time.Millisecond // what happens in other processes gives no event here
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); <-time.After(step) {
		data, err := os.ReadFile(file)
		if err == nil {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			return strings.TrimSuffix(string(data), "\n")
		}
	}
	t.Fatalf("the shell does not say what the line is:\n%s", s.screen())
	return ""
}
