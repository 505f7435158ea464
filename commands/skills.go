package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"mcpq/commands/args"
	"mcpq/mcp"
	"mcpq/output"
)

// SkillCmd prints a file of a skill, or saves the whole of it. What is not what
// the server said of it is not shown.
type SkillCmd struct {
	Skill string `arg:"" name:"skill" help:"Name of the skill, the end of its path, or its URI."`
	File  string `arg:"" optional:"" name:"file" help:"Path of a file in the skill; SKILL.md by default."`

	Output string `short:"o" placeholder:"DIR" help:"Save all files of the skill into DIR/NAME/, or none of them."`
	Force  bool   `help:"With -o, replace DIR/NAME if it is there."`
}

// Validate checks the flags.
func (c *SkillCmd) Validate() error {
	switch {
	case c.Output != "" && c.File != "":
		return usagef("-o saves the whole skill; one file goes to stdout")
	case c.Output == "" && c.Force:
		return usagef("--force goes with -o")
	}
	return nil
}

// Run reads the skill. Its SKILL.md is checked first whatever is asked for: only
// then may the other files be read.
func (c *SkillCmd) Run(ctx context.Context, r *runner) error {
	flags := &r.grammar.PrintFlags
	if flags.filters() || flags.ExitStatus || flags.Format != "" {
		return usagef("a skill is printed as its bytes: --jq, -e and --format do not go with it")
	}
	if c.Output != "" && !c.Force {
		if name := lastPart(c.Skill); exists(filepath.Join(c.Output, name)) {
			return occupied(filepath.Join(c.Output, name))
		}
	}
	client, err := r.open(ctx)
	if err != nil {
		return err
	}
	entry, err := client.Skill(ctx, c.Skill)
	if err != nil {
		return err
	}
	if entry.Dynamic && r.grammar.Verbose > 0 {
		r.messages.Line(fmt.Sprintf("* %s is dynamic: there is nothing to check its files against but the front matter", entry.URI))
	}
	skill, err := client.LoadSkill(ctx, entry)
	if err != nil {
		return err
	}
	if c.Output != "" {
		return (&skillFolder{skill: skill, dir: c.Output, force: c.Force}).save(ctx)
	}
	data := skill.Manual
	if c.File != "" {
		if data, err = skill.File(ctx, c.File); err != nil {
			return err
		}
	}
	return r.printFile(data)
}

// printFile prints the bytes of a file as they are. A terminal gets none of
// those that would steer it.
func (r *runner) printFile(data []byte) error {
	if r.env.OutTTY {
		if !utf8.Valid(data) {
			return usagef("the file is binary, and stdout a terminal: send it elsewhere")
		}
		data = []byte(output.Safe(string(data)))
	}
	out := newInterruptible(r.ctx, r.stdout())
	_, err := out.Write(data)
	if err == nil {
		err = out.Flush()
	}
	if err != nil && r.ctx.Err() == nil {
		err = &output.WriteError{Stream: "stdout", Err: err}
	}
	return err
}

// lastPart is the name of a skill by what it was called.
func lastPart(skill string) string {
	skill = strings.TrimSuffix(strings.TrimSuffix(skill, "/SKILL.md"), "/")
	return skill[strings.LastIndexByte(skill, '/')+1:]
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func occupied(path string) error {
	return &UsageError{Err: fmt.Errorf("%s is there already", path), Hint: "--force replaces it"}
}

// noSuchSkill reports whether a name is that of no skill, or of several.
func noSuchSkill(err error) bool {
	var unknown *mcp.UnknownSkillError
	var ambiguous *mcp.AmbiguousSkillError
	return errors.As(err, &unknown) || errors.As(err, &ambiguous)
}

// skillHint says what else a skill may be called; "" if err is not about that.
func skillHint(err error) string {
	var unknown *mcp.UnknownSkillError
	var ambiguous *mcp.AmbiguousSkillError
	switch {
	case errors.As(err, &ambiguous):
		return "name it by the end of its path, or by its URI"
	case !errors.As(err, &unknown):
		return ""
	}
	if near := args.Nearest(unknown.Name, unknown.Known); len(near) > 0 {
		return fmt.Sprintf("did you mean %s?", strings.Join(near, " or "))
	}
	return "'mcpq list-skills' shows those it lists; others can be had by their URIs"
}
