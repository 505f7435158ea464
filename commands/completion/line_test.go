package completion

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func variables(name string) string {
	return map[string]string{"HOME": "/home/ada", "URL": "demo:"}[name]
}

func texts(words []Word) []string {
	var all []string
	for _, w := range words {
		all = append(all, w.Text)
	}
	return all
}

// TestRead reads lines; | is where the cursor stands.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		shell         Shell
		line          string
		before, after string // the words, put together with commas
		word          string
		redirect      bool
	}{
		{shell: Bash, line: "mcpq |"},
		{shell: Bash, line: "mcpq|", word: "mcpq"},
		{shell: Bash, line: "mcpq call ad|", before: "call", word: "ad"},
		{shell: Bash, line: "mcpq call ad|d a=1", before: "call", word: "ad", after: "a=1"},
		{shell: Bash, line: "mcpq call | -- ./server", before: "call", after: "--,./server"},
		{shell: Bash, line: "mcpq call |-- ./server", before: "call", after: "--,./server"},
		{shell: Bash, line: `mcpq call 'two words' "a b" c\ d |`, before: "call,two words,a b,c d"},
		{shell: Bash, line: `mcpq call "two w|`, before: "call", word: "two w"},
		{shell: Bash, line: `mcpq call "two w| -- ./server`, before: "call", word: "two w", after: "--,./server"},
		{shell: Bash, line: `mcpq call "two w|o" -- ./server`, before: "call", word: "two w", after: "--,./server"},
		{shell: Bash, line: `mcpq call k='it'\''s' |`, before: "call,k=it's"},
		{shell: Bash, line: `mcpq call "\$\"\\\a" $'it\'s' |`, before: `call,$"\\a,it's`},
		{shell: Bash, line: `mcpq call '' |`, before: "call,"},
		{shell: Bash, line: `mcpq call my\|`, before: "call", word: "my"},
		{shell: Bash, line: "mcpq call \\\n add|", before: "call", word: "add"},
		{shell: Bash, line: "mcpq -s $URL ${URL} \"$URL\" '$URL' |", before: "-s,demo:,demo:,demo:,$URL"},
		{shell: Bash, line: "mcpq -s $OTHER $(url x) `url x` a$ |", before: "-s,,,,a$"},
		{shell: Bash, line: "mcpq --cacert ~/ca a~ ~ |", before: "--cacert,/home/ada/ca,a~,/home/ada"},
		{shell: Bash, line: "mcpq info > out 2>err <in |", before: "info"},
		{shell: Bash, line: "mcpq info > o|", before: "info", word: "o", redirect: true},
		{shell: Bash, line: "mcpq info 2>|", before: "info", redirect: true},
		{shell: Bash, line: "mcpq info &> | -v", before: "info", redirect: true},
		{shell: Bash, line: "mcpq info | > out", before: "info"},
		{shell: Bash, line: "true; mcpq info | | jq .; mcpq", before: "info"},
		{shell: Bash, line: "A=1 B=2 mcpq info |", before: "info"},
		{shell: Zsh, line: "mcpq read demo://a/\\{b\\} |", before: "read,demo://a/{b}"},
		{shell: Fish, line: "and mcpq call |", before: "call"},
		{shell: Fish, line: `A=1 ./mcpq call 'it\'s \\ \n' "\$a" |`, before: `call,it's \ \n,$a`},
		{shell: Fish, line: "mcpq call (url (x) y) a\\ b |", before: "call,,a b"},
	} {
		before, after, _ := strings.Cut(c.line, "|")
		l := Read(c.shell, before, after, "", variables)
		got := []string{strings.Join(texts(l.Before), ","), l.Word.Text, strings.Join(texts(l.After), ",")}
		if diff := cmp.Diff([]string{c.before, c.word, c.after}, got); diff != "" || l.Redirect != c.redirect {
			t.Errorf("%s %q: redirect %v, %s", c.shell, c.line, l.Redirect, diff)
		}
	}
}

// TestUnknownWords tells what only the shell can know.
func TestUnknownWords(t *testing.T) {
	for word, want := range map[string]bool{
		"$URL": false, "'$OTHER'": false, `\$OTHER`: false, "a$": false,
		"$OTHER": true, `"$OTHER"`: true, "${URL:-x}": true, "$(cat url)": true, "`cat url`": true,
	} {
		l := Read(Bash, "mcpq "+word+" ", "", "", variables)
		if got := l.Before[0].Unknown; got != want {
			t.Errorf("%s: unknown is %v", word, got)
		}
	}
}

func TestBehind(t *testing.T) {
	l := Read(Fish, "mcpq info -- ./server  'a b' --fl", " more", "", variables)
	if got, want := l.Behind(1), "./server  'a b' --fl"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzRead reads any line, and holds what bash would be given against how it is
// read again.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"mcpq call 'a b' \"c\\\"", "x > y; z", "$(a ${b} `c", "a\\\nb", "--x=~/$HOME"} {
		f.Add(s, "", "name")
		f.Add("", s, "two words")
	}
	f.Fuzz(func(t *testing.T, before, after, name string) {
		for _, shell := range Shells() {
			l := Read(shell, before, after, "", variables)
			l.Encode(&Answer{Items: []Item{{Text: name}}, From: len(name)})
			for i := range l.Before {
				l.Behind(i)
			}
		}
		if !safe(name) || name == "" {
			return
		}
		for _, open := range []string{"", "'", `"`, "$'"} {
			quoted := open + quote(name, (open + "\x00")[0])
			l := Read(Bash, "mcpq "+quoted, "", "", func(string) string { return "" })
			if open == "" && strings.HasPrefix(name, "~") {
				continue
			}
			if l.Word.Text != name || l.Word.Unknown {
				t.Errorf("%q is written %s and read %q", name, quoted, l.Word.Text)
			}
		}
	})
}
