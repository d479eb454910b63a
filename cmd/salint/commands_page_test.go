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
	page.WriteString("# Commands\n\nWhat `salint COMMAND --help-all` prints: `go test ./cmd/salint -run TestPageOfCommands -update` writes this page. " +
		"[On the command line](cli.md)\nshows how to use them. Flags can come before and after arguments.\n")
	var add func(line string, commands []*cli.Command)
	add = func(line string, commands []*cli.Command) {
		for _, c := range commands {
			if c.Hidden || c.Name == "help" {
				continue
			}
			name := strings.TrimSpace(line + " " + c.Name)
			page.WriteString(sectionOfCommand(name, runLine(t.TempDir(), name+" --help-all")))
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
	case "EXIT CODES":
		b.WriteString("\n| exit code | meaning |\n|---|---|\n")
		writeRows(b, text)
	case "EXAMPLES":
		b.WriteString("\n```sh\n")
		for line := range strings.Lines(text) {
			b.WriteString(strings.TrimSpace(line) + "\n")
		}
		b.WriteString("```\n")
	case "COMMANDS":
	default: // flags
		fmt.Fprintf(b, "\n| %s | meaning |\n|---|---|\n", map[bool]string{true: "flag", false: strings.ToLower(title)}[title == "FLAGS"])
		writeRows(b, text)
	}
}

// writeRows writes a row for each entry of two columns. The further lines of an entry are indented more than its first one.
func writeRows(b *strings.Builder, text string) {
	columns := regexp.MustCompile(`^(\d+|.+?  ) *(.+)$`)
	joined := regexp.MustCompile(`\n {4,}`).ReplaceAllString(text, "  ")
	for line := range strings.Lines(joined) {
		if m := columns.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			meaning := escapeMarkdown(strings.Join(strings.Fields(m[2]), " "))
			fmt.Fprintf(b, "| `%s` | %s |\n", strings.TrimSpace(m[1]), strings.ReplaceAll(meaning, "|", `\|`))
		}
	}
}

// escapeMarkdown keeps what a help text has from being read as markup.
func escapeMarkdown(text string) string {
	return strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "[", `\[`).Replace(text)
}
