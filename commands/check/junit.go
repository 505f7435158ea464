package check

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

// JUnit is the report in the form that CI systems read, of outcomes in the order
// of the files and their steps. Characters that XML does not have are replaced.
func JUnit(files []*File, outcomes []*Outcome) string {
	var b strings.Builder
	b.WriteString(xml.Header)
	total := count(outcomes)
	fmt.Fprintf(&b, "<testsuites%s>\n", total.attributes())
	for _, f := range files { // a name alone does not tell: a file may be there twice
		n := min(len(f.Steps), len(outcomes))
		own := outcomes[:n]
		outcomes = outcomes[n:]
		of := count(own)
		fmt.Fprintf(&b, "  <testsuite name=\"%s\"%s>\n", escaped(f.Name), of.attributes())
		for _, o := range own {
			o.junit(&b)
		}
		b.WriteString("  </testsuite>\n")
	}
	b.WriteString("</testsuites>\n")
	return b.String()
}

func (o *Outcome) junit(b *strings.Builder) {
	fmt.Fprintf(b, "    <testcase name=\"%s\" classname=\"%s\" time=\"%s\"", escaped(o.Step.Name), escaped(o.Step.File), seconds(o.Took))
	if o.Step.Line > 0 {
		fmt.Fprintf(b, " file=\"%s\" line=\"%d\"", escaped(o.Step.File), o.Step.Line)
	}
	switch {
	case o.Skipped:
		fmt.Fprintf(b, "><skipped message=\"%s\"/></testcase>\n", escaped(o.Problem))
	case o.Problem != "":
		fmt.Fprintf(b, "><failure message=\"%s\">%s</failure></testcase>\n", escaped(o.Problem), escaped(string(shown(o.Got))))
	default:
		b.WriteString("/>\n")
	}
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // the builder takes everything
	return b.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// tally counts outcomes.
type tally struct {
	all, failed, skipped int
	took                 time.Duration
}

func count(outcomes []*Outcome) tally {
	t := tally{all: len(outcomes)}
	for _, o := range outcomes {
		t.took += o.Took
		switch {
		case o.Skipped:
			t.skipped++
		case !o.Passed():
			t.failed++
		}
	}
	return t
}

func (t tally) attributes() string {
	return fmt.Sprintf(" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%s\"", t.all, t.failed, t.skipped, seconds(t.took))
}
