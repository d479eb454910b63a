package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

// block is a code block of Markdown: its language and its text.
var block = regexp.MustCompile("(?sm)^```([a-z]*)\n(.*?)^```$")

// The runs in README.md are runs on docs/example, one after the other. A run that ends with "…" is cut there.
func TestRunsOfReadme(t *testing.T) {
	t.Parallel()
	const file = "../../README.md"
	page := readPage(t, file)
	if lines := strings.Count(page, "\n"); lines > 200 {
		t.Errorf("README.md has %d lines", lines)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../docs/example")); err != nil {
		t.Fatal(err)
	}
	makeRepository(t, dir)
	runs := 0
	updated := block.ReplaceAllStringFunc(page, func(text string) string {
		shown := block.FindStringSubmatch(text)[2]
		if !strings.HasPrefix(shown, "$ salint ") {
			return text
		}
		var b strings.Builder
		b.WriteString("```\n")
		for run := range strings.SplitSeq("\n"+shown, "\n$ salint ") {
			if run == "" {
				continue
			}
			line, shown, _ := strings.Cut(run, "\n")
			b.WriteString("$ salint " + line + "\n" + cutLike(shown, printed(dir, line)))
			runs++
		}
		return b.String() + "```"
	})
	if runs == 0 {
		t.Error("README.md shows no run")
	}
	comparePage(t, file, page, updated)
}

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

// printed returns what a terminal shows of a run in a folder.
func printed(dir, line string) string {
	line, quiet := strings.CutSuffix(line, " 2>/dev/null")
	out, _, _ := strings.Cut(runLine(dir, line), "[exit code ")
	out, errors, _ := strings.Cut(out, "[standard error]\n")
	if quiet {
		return out
	}
	return out + errors
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

// Every command line of the documentation has a command and flags that exist.
func TestCommandsOfDocumentation(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^(?:\$ )?salint ([a-z][^#|>&\n]*)`)
	checked := 0
	for _, file := range append(pages, "../../README.md") {
		for _, example := range block.FindAllStringSubmatch(readPage(t, file), -1) {
			for _, m := range line.FindAllStringSubmatch(example[2], -1) {
				checked++
				if problem := checkCommand(strings.Fields(m[1])); problem != "" {
					t.Errorf("%s: salint %s: %s", file, m[1], problem)
				}
			}
		}
	}
	if checked == 0 {
		t.Error("no command lines")
	}
}

// checkCommand returns what is wrong with the words of a command line, or the empty string.
func checkCommand(words []string) string {
	commands := (&command{}).app().Commands
	var flags []cli.Flag
	for _, word := range words {
		if i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.Name == word }); i >= 0 {
			flags, commands = commands[i].Flags, commands[i].Subcommands
			continue
		}
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if flags == nil {
			return "no command " + word
		}
		known := slices.ContainsFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
		if strings.HasPrefix(word, "-") && word != "-" && !known {
			return "no flag " + word
		}
	}
	return ""
}
