package commands

import (
	"context"
	"time"

	"mcpq/commands/check"
	"mcpq/output"
)

// formatTAP and formatJUnit are values of --format that only check knows.
const (
	formatTAP   = "tap"
	formatJUnit = "junit"
)

// checkReport prints how checks went: in TAP as they do, in other forms once all
// is known.
type checkReport struct {
	r     *runner
	form  string // formatTAP, formatJUnit, or "" for what results are printed as
	files []*check.File
	seen  []*check.Outcome
}

// newCheckReport finds out how to report. Where nothing is said, and nothing
// filters, that is in TAP.
func (r *runner) newCheckReport() (*checkReport, error) {
	flags := &r.grammar.PrintFlags
	report := &checkReport{r: r}
	switch flags.Format {
	case formatTAP, formatJUnit:
		if flags.filters() || flags.Pretty {
			return nil, usagef("--format %s is no JSON: neither --jq nor --pretty goes with it", flags.Format)
		}
		report.form = flags.Format
		flags.Format = string(output.FormatText)
	case "":
		if !flags.filters() && !flags.Pretty && !flags.Compact {
			report.form = formatTAP
		}
	}
	return report, r.preparePrinter()
}

func (c *checkReport) begin() error {
	if c.form != formatTAP {
		return nil
	}
	return c.page(check.Plan(c.files))
}

func (c *checkReport) add(o *check.Outcome) error {
	c.seen = append(c.seen, o)
	if c.form != formatTAP {
		return nil
	}
	return c.page(o.TAP(len(c.seen)))
}

// end prints what is still to be printed, and tells whether all is well.
func (c *checkReport) end(ctx context.Context) error {
	if err := c.finish(ctx); err != nil {
		return err
	}
	failed := 0
	for _, o := range c.seen {
		if !o.Passed() {
			failed++
		}
	}
	if failed > 0 {
		return &FailedChecksError{Failed: failed, All: len(c.seen)}
	}
	return nil
}

// bailOut ends a report that cannot go on: what is left of the steps is skipped.
// It is printed after the end of the run, too, if somebody reads it.
func (c *checkReport) bailOut(err error) error {
	const patience = 2 * time.Second
	ctx, stop := context.WithTimeout(c.r.closeCtx, patience)
	defer stop()
	if err := c.r.printUntil(ctx); err != nil {
		return err
	}
	if c.form == formatTAP {
		return c.page(check.BailOut(err))
	}
	n := 0
	for _, f := range c.files {
		for _, step := range f.Steps {
			if n++; n > len(c.seen) {
				c.seen = append(c.seen, &check.Outcome{Step: step, Skipped: true, Problem: err.Error()})
			}
		}
	}
	return c.finish(ctx)
}

func (c *checkReport) finish(ctx context.Context) error {
	switch c.form {
	case formatTAP:
		return nil
	case formatJUnit:
		return c.page(check.JUnit(c.files, c.seen))
	}
	return c.r.print(ctx, check.JSON(c.seen))
}

// page prints a part of the report; on a terminal without what could steer it.
func (c *checkReport) page(text string) error {
	if c.r.env.OutTTY {
		text = output.Safe(text)
	}
	return c.r.printer.Page(text)
}
