package main

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/salint/salint/test/pages"
)

// block is a code block of Markdown: its language and its text.
var block = regexp.MustCompile("(?sm)^```([a-z]*)\n(.*?)^```$")

func readPage(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// comparePage reports how a page of the documentation differs from what it should be. With -update it writes the page.
func comparePage(t *testing.T, file, page, want string) {
	t.Helper()
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("%s (-the program +the page; -update writes it):\n%s", file, diff)
	}
}

// cutLike cuts an output to the lines that are shown, if these end with "…".
func cutLike(shown, out string) string {
	const cut = "…\n"
	if !strings.HasSuffix(strings.TrimRight(shown, "\n")+"\n", cut) {
		return out
	}
	lines := slices.Collect(strings.Lines(out))
	return strings.Join(lines[:min(len(lines), strings.Count(strings.TrimRight(shown, "\n"), "\n"))], "") + cut
}

func TestReadmeIsShort(t *testing.T) {
	t.Parallel()
	if lines := strings.Count(readPage(t, "../../README.md"), "\n"); lines > 200 {
		t.Errorf("README.md has %d lines", lines)
	}
}

// TestFlagsOfDocumentation checks the commands that are not run: in sentences, in tables, and with expressions of a workflow. Each has a
// command and flags that exist, and those of make a target.
func TestFlagsOfDocumentation(t *testing.T) {
	t.Parallel()
	checked := 0
	placeholder := regexp.MustCompile(`^[A-Z]+$`)
	inWorkflow := regexp.MustCompile(`(?m)(?:run: |script: |- )(salint [a-z].*\$\{\{.*)$`)
	for _, page := range documentation(t) {
		text := readPage(t, "../../"+page)
		lines := pages.Spans(text)
		for _, m := range inWorkflow.FindAllStringSubmatch(text, -1) {
			lines = append(lines, m[1])
		}
		for _, line := range lines {
			words := strings.Fields(line)
			if strings.HasPrefix(line, "make ") {
				checkMakeTarget(t, line)
			}
			if len(words) < 2 || words[0] != "salint" || placeholder.MatchString(words[1]) {
				continue
			}
			checked++
			if problem := checkCommand(words[1:]); problem != "" {
				t.Errorf("%s: %s: %s", page, line, problem)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d commands", checked)
	}
}

// checkCommand returns what is wrong with the words of a command line, or the empty string.
func checkCommand(words []string) string {
	commands := (&command{}).app().Commands
	var current *cli.Command
	for _, word := range words {
		if slices.Contains([]string{"|", ">", "&&"}, word) {
			break
		}
		if i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.Name == word }); i >= 0 {
			current, commands = commands[i], commands[i].Subcommands
			continue
		}
		if current == nil {
			return "no command " + word
		}
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		known := slices.ContainsFunc(current.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
		if strings.HasPrefix(word, "-") && word != "-" && !known && name != "help" {
			return "no flag " + word
		}
	}
	return ""
}
