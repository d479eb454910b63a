package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/test/golden"
)

// docs/commands.md is what --help prints, as a page.
func TestPageOfCommands(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	page.WriteString("# Commands\n\nWhat `salint COMMAND --help` prints: `go test ./cmd/salint -run TestPageOfCommands -update` writes this page. " +
		"[On the command line](cli.md)\nshows how to use them. Flags can come before and after arguments.\n")
	var add func(line string, commands []*cli.Command)
	add = func(line string, commands []*cli.Command) {
		for _, c := range commands {
			if c.Hidden || c.Name == "help" {
				continue
			}
			name := strings.TrimSpace(line + " " + c.Name)
			page.WriteString(sectionOfCommand(name, runLine(t.TempDir(), name+" --help")))
			add(name, c.Subcommands)
		}
	}
	add("", newCommand().app().Commands)
	golden.File(t, "../../docs/commands.md", page.String())
}

// helpParts divides a help text at its titles: before the first one is the summary.
var helpParts = regexp.MustCompile(`(?m)^([A-Z][A-Z ]+):\n`)

// sectionOfCommand turns a help text into Markdown.
func sectionOfCommand(name, help string) string {
	help, _, _ = strings.Cut(help, "[exit code")
	titles := helpParts.FindAllStringSubmatchIndex(help, -1)
	_, summary, _ := strings.Cut(strings.TrimSpace(help[:titles[0][0]]), " - ")
	var b strings.Builder
	fmt.Fprintf(&b, "\n## salint %s\n\n%s.\n", name, strings.ToUpper(summary[:1])+summary[1:])
	for i, at := range titles {
		end := len(help)
		if i+1 < len(titles) {
			end = titles[i+1][0]
		}
		writeHelpPart(&b, help[at[2]:at[3]], strings.TrimSpace(help[at[1]:end]))
	}
	return b.String()
}

func writeHelpPart(b *strings.Builder, title, text string) {
	switch title {
	case "USAGE":
		usage, description, _ := strings.Cut(text, "\n")
		fmt.Fprintf(b, "\n```\n%s\n```\n", strings.TrimSpace(usage))
		if description = strings.TrimSpace(description); description != "" {
			fmt.Fprintf(b, "\n%s\n", escapeMarkdown(description))
		}
	case "FLAGS":
		b.WriteString("\n| flag | meaning |\n|---|---|\n")
		writeRows(b, text)
	case "EXIT CODES":
		b.WriteString("\n| exit code | meaning |\n|---|---|\n")
		writeRows(b, text)
	case "EXAMPLES":
		b.WriteString("\n```sh\n")
		for line := range strings.Lines(text) {
			b.WriteString(strings.TrimSpace(line) + "\n")
		}
		b.WriteString("```\n")
	}
}

// writeRows writes a row for each line of two columns, which at least two spaces separate.
func writeRows(b *strings.Builder, text string) {
	columns := regexp.MustCompile(`^(.+?)  +(.+)$`)
	repeated := regexp.MustCompile(` \[ .* \]$`)
	for line := range strings.Lines(text) {
		if m := columns.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			fmt.Fprintf(b, "| `%s` | %s |\n", repeated.ReplaceAllString(m[1], ""), strings.ReplaceAll(escapeMarkdown(m[2]), "|", `\|`))
		}
	}
}

// escapeMarkdown keeps what a help text has from being read as markup.
func escapeMarkdown(text string) string {
	return strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "[", `\[`).Replace(text)
}
