package demo

import (
	"context"
	"fmt"
	"time"
)

// job works for a while and ends as it is told to. Clients that know tasks can
// leave it to itself.
func job(ctx context.Context, c *call, args arguments) (result, error) {
	if args.text("ask") == "yes" && c.rules.stateless && c.task == nil {
		return nil, c.needTasks()
	}
	seconds, _ := args.number("seconds").Float64()
	steps := int(args.integer("steps"))
	total := time.Duration(seconds * float64(time.Second))
	for i := 1; i <= steps; i++ {
		timer := time.NewTimer(total / time.Duration(steps))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
		c.step(i, steps, fmt.Sprintf("step %d of %d", i, steps))
	}
	if args.text("ask") == "yes" {
		if !c.rules.elicitation || !c.client.canFillForms() {
			return failure("the client cannot be asked"), nil
		}
		raw, err := c.ask(ctx, "who", askForm("Whose job is this?", c.rules))
		if err != nil {
			return nil, err
		}
		return greetAnswer(raw)
	}
	switch args.text("fail") {
	case "tool":
		return failure("the job went wrong"), nil
	case "rpc":
		return nil, &rpcError{Code: codeInternal, Message: "the job broke", Data: map[string]any{"steps": steps}}
	}
	return textResult(fmt.Sprintf("worked %v in %d steps", total, steps)), nil
}
