package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// row is one obligation of docs/conformance.md, or one promise of docs/contract.md.
type row struct {
	id, what, shown string
	refs            []string // what stands between backquotes in shown
}

// conformanceTables reads the rows of such a page by the heading (##)
// that they stand under.
func conformanceTables(page string) map[string][]row {
	id := regexp.MustCompile(`^(?:[A-Z]+-[0-9]+|[0-9]{3}-[0-9]{2})$`)
	quoted := regexp.MustCompile("`([^`]*)`")
	tables := make(map[string][]row)
	heading := ""
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			heading = title
		}
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !id.MatchString(strings.TrimSpace(cells[1])) {
			continue
		}
		r := row{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3]), nil}
		for _, m := range quoted.FindAllStringSubmatch(r.shown, -1) {
			r.refs = append(r.refs, m[1])
		}
		tables[heading] = append(tables[heading], r)
	}
	return tables
}

// The headings of the tables, with the list of ids that each is about.
func conformanceLists() map[string]string {
	return map[string]string{
		"2026-07-28, the stateless version":               "protocol-2026.md",
		"2024-11-05 to 2025-11-25, the stateful versions": "protocol-legacy.md",
		"Features": "seeds-map.md",
	}
}

// TestConformancePage holds docs/conformance.md against the tests it names.
func TestConformancePage(t *testing.T) {
	tables := conformanceTables(readFile(t, "docs/conformance.md"))
	if len(tables) != len(conformanceLists()) {
		t.Errorf("there are %d tables, want %d", len(tables), len(conformanceLists()))
	}
	client := readFile(t, "scripts/conformance-client")
	for heading := range conformanceLists() {
		if len(tables[heading]) == 0 {
			t.Errorf("%s: no rows", heading)
		}
		for _, problem := range tableProblems(os.DirFS("."), client, tables[heading]) {
			t.Errorf("%s: %s", heading, problem)
		}
	}
}

// TestContractPage holds docs/contract.md against the tests it names, and against
// the exit codes of the README.
func TestContractPage(t *testing.T) {
	tables := conformanceTables(readFile(t, "docs/contract.md"))
	for _, heading := range []string{"Commands", "Arguments", "Servers and their questions", "Configured servers", "Output", "Exit codes"} {
		if len(tables[heading]) == 0 {
			t.Errorf("%s: no rows", heading)
		}
		for _, problem := range tableProblems(os.DirFS("."), "", tables[heading]) {
			t.Errorf("%s: %s", heading, problem)
		}
	}
	manuals, err := filepath.Glob("docs/man/mcpq-*.1")
	if err != nil || len(manuals) == 0 {
		t.Errorf("no manual pages: %v", err)
	}
	for _, m := range manuals {
		command := "`" + strings.TrimSuffix(strings.TrimPrefix(filepath.Base(m), "mcpq-"), ".1") + "`"
		if !slices.ContainsFunc(tables["Commands"], func(r row) bool { return strings.Contains(r.what, command) }) {
			t.Errorf("no row is about %s", command)
		}
	}
	codes := exitCodes(readFile(t, "README.md"))
	if len(codes) == 0 {
		t.Error("the README has no exit codes")
	}
	for _, problem := range idProblems(codes, tables["Exit codes"]) {
		t.Errorf("exit codes: %s", problem)
	}
}

// TestArchitecturePage makes sure that every package is told of, and every file
// and folder that is named is there.
func TestArchitecturePage(t *testing.T) {
	page := readFile(t, "docs/architecture.md")
	for _, root := range []string{"commands", "internal", "mcp", "output"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if dir := filepath.ToSlash(filepath.Dir(path)); strings.HasSuffix(path, ".go") && !strings.Contains(page, dir) {
				t.Errorf("the package %s is not named", dir)
				return filepath.SkipDir
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	named := regexp.MustCompile("`((?:commands|mcp|internal|output|scripts|docs)/[a-z_/.-]+)`").FindAllStringSubmatch(page, -1)
	if len(named) < 10 {
		t.Errorf("only %d files and folders are named", len(named))
	}
	for _, n := range named {
		if _, err := os.Stat(n[1]); err != nil {
			t.Error(err)
		}
	}
}

// exitCodes are the ids of the codes in a table of them; a row can have several.
func exitCodes(page string) map[string]bool {
	ids := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^\| ([0-9][0-9, ]*) \|`).FindAllStringSubmatch(page, -1) {
		for code := range strings.SplitSeq(m[1], ", ") {
			ids["E-"+code] = true
		}
	}
	return ids
}

// tableProblems tells what is wrong with a table: ids that stand there twice,
// rows that say nothing, and references to what does not exist.
func tableProblems(tree fs.FS, client string, rows []row) []string {
	var found []string
	seen := make(map[string]bool)
	for _, r := range rows {
		if seen[r.id] {
			found = append(found, r.id+" stands there twice")
		}
		seen[r.id] = true
		if r.what == "" {
			found = append(found, r.id+" does not say what it is")
		}
		if len(r.refs) == 0 && !excused(r.shown) {
			found = append(found, fmt.Sprintf("%s is shown by nothing: %q", r.id, r.shown))
		}
		for _, ref := range r.refs {
			if err := checkReference(tree, client, ref); err != nil {
				found = append(found, r.id+": "+err.Error())
			}
		}
	}
	return found
}

// excused reports whether a row says why nothing shows it.
func excused(shown string) bool {
	word, reason, _ := strings.Cut(shown, ":")
	return slices.Contains([]string{"fact", "server's duty", "open"}, word) || word == "not used here" && reason != ""
}

// checkReference looks for what a reference names: FILE_test.go:TEST, a page or
// transcript, or suite:SCENARIO.
func checkReference(tree fs.FS, client, ref string) error {
	scenario, isScenario := strings.CutPrefix(ref, "suite:")
	file, test, isTest := strings.Cut(ref, ":")
	switch {
	case isScenario:
		if !runsScenario(client, scenario) {
			return errors.New("the suite's client does not run " + scenario)
		}
	case isTest && strings.HasSuffix(file, "_test.go"):
		source, err := fs.ReadFile(tree, file)
		if err != nil {
			return err
		}
		if !strings.Contains("\n"+string(source), "\nfunc "+test+"(") {
			return fmt.Errorf("%s has no %s", file, test)
		}
	case strings.HasSuffix(ref, ".txtar"):
		if _, err := fs.Stat(tree, ref); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%q is no reference", ref)
	}
	return nil
}

// runsScenario reports whether one of the patterns of the client's case
// statement takes a scenario. Those of auth all end at its "auth/*".
func runsScenario(client, scenario string) bool {
	for line := range strings.Lines(client) {
		patterns, ok := strings.CutSuffix(strings.TrimSpace(line), ")")
		if !ok || strings.ContainsAny(patterns, "(\"$ ") {
			continue
		}
		if prefix, wild := strings.CutSuffix(patterns, "*"); wild && prefix != "" && strings.HasPrefix(scenario, prefix) || patterns == scenario {
			return true
		}
	}
	return false
}

// TestConformanceIsComplete holds the ids of the page against the checklists,
// where these are at hand.
func TestConformanceIsComplete(t *testing.T) {
	dir := os.Getenv("MCPQ_SHARED_DIR")
	if dir == "" {
		dir = filepath.FromSlash("../shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "protocol-2026.md")); err != nil {
		t.Skip("the checklists are not there: " + err.Error())
	}
	tables := conformanceTables(readFile(t, "docs/conformance.md"))
	for heading, name := range conformanceLists() {
		listed := checklistIDs(readFile(t, filepath.Join(dir, name)))
		if len(listed) == 0 {
			t.Errorf("%s: no ids", name)
		}
		for _, problem := range idProblems(listed, tables[heading]) {
			t.Errorf("%s: %s", heading, problem)
		}
	}
}

// checklistIDs are the ids of a checklist: items that begin with one, or rows.
// The dialect that no version of the protocol is (004) is left out.
func checklistIDs(list string) map[string]bool {
	begins := regexp.MustCompile(`^(?:- ([A-Z]+-[0-9]+) |\| ([0-9]{3}-[0-9]{2}) \|)`)
	ids := make(map[string]bool)
	for line := range strings.Lines(list) {
		if m := begins.FindStringSubmatch(line); m != nil && !strings.HasPrefix(m[2], "004-") {
			ids[m[1]+m[2]] = true
		}
	}
	return ids
}

// idProblems tells which ids have no row and which rows no id.
func idProblems(listed map[string]bool, rows []row) []string {
	var found []string
	missing := maps.Clone(listed)
	for _, r := range rows {
		if !listed[r.id] {
			found = append(found, r.id+" is in no checklist")
		}
		delete(missing, r.id)
	}
	for _, id := range slices.Sorted(maps.Keys(missing)) {
		found = append(found, id+" is missing")
	}
	return found
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestConformanceRules makes sure that the page can be wrong.
func TestConformanceRules(t *testing.T) {
	tree := fstest.MapFS{
		"a/b_test.go":  {Data: []byte("package a\n\nfunc TestHere(t *testing.T) {\n// func TestNot(\n}\n")},
		"a/page.txtar": {Data: []byte("# a page\n")},
	}
	const client = "case $X in\ninitialize)\n\tm info\n\t;;\nverify-*)\n\texits 4 m skill \"$(m list)\"\n\t;;\nauth/*)\n\t;;\n*)\n\techo unknown\n"
	for _, c := range []struct{ rows, want string }{
		{"| V-1 | a | `a/b_test.go:TestHere`, `a/page.txtar` |\n| 000-01 | b | `suite:initialize` |", ""},
		{"| V-1 | a | `suite:verify-size`, `suite:auth/any` |", ""},
		{"| V-1 | a | fact |\n| V-2 | a | server's duty |\n| V-3 | a | not used here: because |\n| V-4 | a | open |\n| V-5 | a | open: nobody knows |", ""},
		{"| V-1 | a | fact |\n| V-1 | b | fact |", "V-1 stands there twice"},
		{"| V-1 |  | fact |", "V-1 does not say what it is"},
		{"| V-1 | a |  |", `V-1 is shown by nothing: ""`},
		{"| V-1 | a | not used here |", `V-1 is shown by nothing: "not used here"`},
		{"| V-1 | a | `a/b_test.go:TestNot` |", "V-1: a/b_test.go has no TestNot"},
		{"| V-1 | a | `a/b_test.go:TestHer` |", "V-1: a/b_test.go has no TestHer"},
		{"| V-1 | a | `a/c_test.go:TestHere` |", "V-1: open a/c_test.go: file does not exist"},
		{"| V-1 | a | `a/other.txtar` |", "V-1: open a/other.txtar: file does not exist"},
		{"| V-1 | a | `TestHere` |", `V-1: "TestHere" is no reference`},
		{"| V-1 | a | `suite:other` |", "V-1: the suite's client does not run other"},
	} {
		got := strings.Join(tableProblems(tree, client, conformanceTables("## T\n" + c.rows)["T"]), "; ")
		if got != c.want {
			t.Errorf("%s\ngot %q, want %q", c.rows, got, c.want)
		}
	}

	if got := slices.Sorted(maps.Keys(exitCodes("| 0 | done |\n| 129, 130 | signals |\n| code | x |\n"))); strings.Join(got, " ") != "E-0 E-129 E-130" {
		t.Errorf("got %q", got)
	}
	listed := checklistIDs("- V-1 MUST do\n- V-2 MAY\n  - V-9 no item\n| 000-01 | a |\n| 004-01 | b |\nV-7 is prose\n")
	rows := conformanceTables("## T\n| V-1 | a | fact |\n| V-3 | a | fact |\n")["T"]
	if got, want := strings.Join(idProblems(listed, rows), "; "), "V-3 is in no checklist; 000-01 is missing; V-2 is missing"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
