package check

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"
)

// JUnit is the report in the form that CI systems read, of outcomes in the order
// of the files and their steps. The first that was skipped is an error, because
// what ended the run is one: a report without any would pass for a good one.
// Characters that XML does not have are replaced.
func JUnit(files []*File, outcomes []*Outcome) string {
	end := firstSkipped(outcomes)
	var b strings.Builder
	b.WriteString(xml.Header)
	fmt.Fprintf(&b, "<testsuites%s>\n", junitAttributes(outcomes, end))
	for _, f := range files { // a name alone does not tell: a file may be there twice
		n := min(len(f.Steps), len(outcomes))
		own := outcomes[:n]
		outcomes = outcomes[n:]
		fmt.Fprintf(&b, "  <testsuite name=\"%s\"%s>\n", escaped(f.Name), junitAttributes(own, end))
		for _, o := range own {
			o.junit(&b, o == end)
		}
		b.WriteString("  </testsuite>\n")
	}
	b.WriteString("</testsuites>\n")
	return b.String()
}

// firstSkipped is nil when nothing was skipped.
func firstSkipped(outcomes []*Outcome) *Outcome {
	if i := slices.IndexFunc(outcomes, func(o *Outcome) bool { return o.Skipped }); i >= 0 {
		return outcomes[i]
	}
	return nil
}

func (o *Outcome) junit(b *strings.Builder, end bool) {
	fmt.Fprintf(b, "    <testcase name=\"%s\" classname=\"%s\" time=\"%s\"", escaped(o.Step.Name), escaped(o.Step.File), seconds(o.Took))
	if o.Step.Line > 0 {
		fmt.Fprintf(b, " file=\"%s\" line=\"%d\"", escaped(o.Step.File), o.Step.Line)
	}
	switch {
	case end:
		fmt.Fprintf(b, "><error message=\"%s\"/></testcase>\n", escaped(o.Problem))
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

// junitAttributes counts outcomes, of which end is an error if it is among them.
func junitAttributes(outcomes []*Outcome, end *Outcome) string {
	t, errors := count(outcomes), 0
	if end != nil && slices.Contains(outcomes, end) {
		errors = 1
	}
	return fmt.Sprintf(" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%s\"", t.all, t.failed, errors, t.skipped-errors, seconds(t.took))
}
