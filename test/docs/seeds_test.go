package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	inCode = regexp.MustCompile("`([^`]+)`")
	ruleID = regexp.MustCompile(`^(olm|pod|token|rbac|grafana|gitops|repo)/[a-z0-9-]+$`)
)

// TestSeedsAreHeld checks docs/seeds.md: what a line names exists, and what it names as the holder of a statement, a rule or a command, is
// what a case or a test of the same line shows.
func TestSeedsAreHeld(t *testing.T) {
	t.Parallel()
	tests := testNames(t)
	statements := 0
	for line := range strings.Lines(read(t, filepath.Join(root, "docs", "seeds.md"))) {
		cells := strings.Split(strings.TrimSuffix(line, " |\n"), " | ")
		if len(cells) != 3 || cells[2] == "held by" {
			continue
		}
		statements++
		named := holdersOf(cells[2])
		for _, problem := range named.problems(t, tests) {
			t.Errorf("docs/seeds.md, statement %s: %s", strings.TrimPrefix(cells[0], "| "), problem)
		}
		isReason := strings.HasPrefix(cells[2], "Not for salint: ") || strings.HasPrefix(cells[2], "Not checked: ")
		if !isReason && len(named.cases)+len(named.tests) == 0 {
			t.Errorf("docs/seeds.md, statement %s has no case, no test, and no reason", strings.TrimPrefix(cells[0], "| "))
		}
	}
	if statements < 228 {
		t.Errorf("docs/seeds.md has only %d statements", statements)
	}
}

// holders is what a line of docs/seeds.md names.
type holders struct{ rules, commands, cases, tests []string }

func holdersOf(cell string) (named holders) {
	for _, match := range inCode.FindAllStringSubmatch(cell, -1) {
		name := match[1]
		command, isCommand := strings.CutPrefix(name, "salint ")
		switch {
		case isCommand:
			named.commands = append(named.commands, command)
		case strings.HasPrefix(name, "fixtures/"):
			named.cases = append(named.cases, name)
		case strings.HasPrefix(name, "Test"):
			named.tests = append(named.tests, name)
		case ruleID.MatchString(name):
			named.rules = append(named.rules, name)
		}
	}
	return named
}

// problems returns what does not exist, and which rules and commands no case shows. A rule or command of a line with a test may be held by
// the test alone.
func (h holders) problems(t *testing.T, tests []string) (problems []string) {
	t.Helper()
	var shown strings.Builder
	for _, name := range h.cases {
		text, err := textOf(name)
		if err != nil {
			problems = append(problems, "there is no case "+name)
		}
		shown.Write(text)
	}
	for _, name := range h.tests {
		if !slices.Contains(tests, name) {
			problems = append(problems, "there is no test "+name)
		}
	}
	for _, rule := range h.rules {
		family, name, _ := strings.Cut(rule, "/")
		if _, err := os.Stat(filepath.Join(root, "rego", family, strings.ReplaceAll(name, "-", "_")+".rego")); err != nil {
			problems = append(problems, "there is no rule "+rule)
		}
		if isShown := regexp.MustCompile(`["\[ ]` + rule + `["\] ]`).MatchString(shown.String()); !isShown && len(h.tests) == 0 {
			problems = append(problems, "no case shows "+rule)
		}
	}
	for _, command := range h.commands {
		if !strings.Contains(read(t, filepath.Join(root, "docs", "commands.md")), "salint "+command) {
			problems = append(problems, "there is no command salint "+command)
		}
		if !strings.Contains(shown.String(), "\n"+command) && len(h.tests) == 0 {
			problems = append(problems, "no case runs salint "+command)
		}
	}
	return problems
}

// textOf returns a golden case: its archive, or the command lines and the output of a case that is a folder.
func textOf(name string) ([]byte, error) {
	folder := filepath.Join(root, name)
	if text, err := os.ReadFile(folder + ".txtar"); err == nil {
		return text, nil
	}
	text, err := os.ReadFile(filepath.Join(folder, "cmd"))
	if err != nil {
		return nil, err
	}
	out, err := os.ReadFile(filepath.Join(folder, "out"))
	return append(append([]byte{'\n'}, text...), out...), err
}
