package prose

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const sample = `A paragraph of several words, of which 'mcpq help jq' stays
together.
  -s, --server URL  where it is
  --long-flag WITH A LONG VALUE THAT FITS NOWHERE
                    what it is for,
                    in two lines
  NO_COLOR, TERM    variables

  one line   of an example
  another

    {"kept":  "as it is"}
`

func TestParse(t *testing.T) {
	want := []Block{
		{Paragraph: "A paragraph of several words, of which 'mcpq help jq' stays together."},
		{List: []Item{
			{"-s, --server URL", "where it is"},
			{"--long-flag WITH A LONG VALUE THAT FITS NOWHERE", "what it is for, in two lines"},
			{"NO_COLOR, TERM", "variables"},
		}},
		{Example: []string{"one line   of an example", "another"}},
		{Example: []string{`{"kept":  "as it is"}`}},
	}
	if diff := cmp.Diff(want, Parse(sample)); diff != "" {
		t.Error(diff)
	}
}

func TestTerminal(t *testing.T) {
	want := `A paragraph of several words, of which
'mcpq help jq' stays together.

  -s, --server URL  where it is
  --long-flag WITH A LONG VALUE THAT FITS NOWHERE
                    what it is for, in
                    two lines
  NO_COLOR, TERM    variables

    one line   of an example
    another

    {"kept":  "as it is"}
`
	if diff := cmp.Diff(want, Terminal(sample, 40)); diff != "" {
		t.Error(diff)
	}
}

func TestRoff(t *testing.T) {
	want := `A paragraph of several words, of which \(aqmcpq help jq\(aq stays together.
.TP
\fB\-s\fR, \fB\-\-server \fIURL\fR
where it is
.TP
\fB\-\-long\-flag \fIWITH A LONG VALUE THAT FITS NOWHERE\fR
what it is for, in two lines
.TP
\fBNO_COLOR, TERM\fR
variables
.PP
.RS 4
.EX
one line   of an example
another
.EE
.RE
.PP
.RS 4
.EX
{\(dqkept\(dq:  \(dqas it is\(dq}
.EE
.RE
`
	if diff := cmp.Diff(want, Roff(sample)); diff != "" {
		t.Error(diff)
	}
}

// TestRoffText has what troff would take for something else.
func TestRoffText(t *testing.T) {
	for text, want := range map[string]string{
		".SH is no request":         `\&.SH is no request`,
		"'tis a quote":              `\(aqtis a quote`,
		`back\slash "and" ~^` + "`": `back\eslash \(dqand\(dq \(ti\(ha\(ga`,
		"one… – two":                `one\[u2026] \[u2013] two`,
		"with (--flag), and -x.":    `with (\fB\-\-flag\fR), and \fB\-x\fR.`,
		"read - or -- as it is":     `read \- or \-\- as it is`,
		"100 %d read-only":          `100 %d read\-only`,
	} {
		var b strings.Builder
		RoffText(&b, text)
		if got := strings.TrimSuffix(b.String(), "\n"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestRoffTerm(t *testing.T) {
	for term, want := range map[string]string{
		"MCPQ_SERVER":                     `\fBMCPQ_SERVER\fR`,
		"-o, --output FILE|DIR/":          `\fB\-o\fR, \fB\-\-output \fIFILE\fR|\fIDIR/\fR`,
		"mcpq call TOOL [key=value…]":     `\fBmcpq call \fITOOL\fR [\fBkey=value\fR\[u2026]]`,
		"mcpq tasks update --input K=J":   `\fBmcpq tasks update \-\-input \fIK\fB=\fIJ\fR`,
		".dotted":                         `\fB.dotted\fR`,
		"2 usage":                         `\fB2 usage\fR`,
		"[-- SERVER-COMMAND [ARG…]]":      `[\fB\-\- \fISERVER\-COMMAND\fR [\fIARG\fR\[u2026]]]`,
		"$XDG_CACHE_HOME/mcpq/answers":    `\fB$XDG_CACHE_HOME/mcpq/answers\fR`,
		"--elicit decline|cancel":         `\fB\-\-elicit decline\fR|\fBcancel\fR`,
		"-s http://…, https://…":          `\fB\-s http://\fR\[u2026], \fBhttps://\fR\[u2026]`,
		"NO_PROXY, TERM":                  `\fBNO_PROXY\fR, \fITERM\fR`,
		"mcpq (without anything special)": `\fBmcpq\fR (\fBwithout anything special\fR)`,
	} {
		if got := RoffTerm(term); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", term, got, want)
		}
	}
}

// FuzzTexts lays anything out: no line is a request by accident, and no byte
// is lost on the way.
func FuzzTexts(f *testing.F) {
	f.Add(sample, 40)
	f.Add("  a\n b\n  c  d\n      e", 0)
	f.Fuzz(func(t *testing.T, text string, width int) {
		if !utf8.ValidString(text) {
			t.Skip()
		}
		Terminal(text, width)
		requests := map[string]bool{".PP": true, ".TP": true, ".RS 4": true, ".RE": true, ".EX": true, ".EE": true}
		for line := range strings.SplitSeq(Roff(text), "\n") {
			if strings.HasPrefix(line, ".") && !requests[line] {
				t.Errorf("%q became the request %q", text, line)
			}
			if strings.ContainsFunc(line, func(r rune) bool { return r >= 0x80 }) {
				t.Errorf("%q is not ASCII", line)
			}
		}
	})
}
