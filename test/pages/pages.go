// Package pages reads the commands of the documentation, so that tests can run them.
package pages

import (
	"regexp"
	"slices"
	"strings"
)

// Block is a block of code in a page of Markdown.
type Block struct {
	// Language is the word behind the fence, and Text what is between the fences, without the indentation of a list.
	Language, Text string
	// Line is the number of the first line of the text.
	Line int
	// start and end are the place of the text in the page.
	start, end int
}

// Command is a command line of a block. Lines that one ends with a backslash, a pipe, or && are one command.
type Command struct {
	Text string
	// Shown is the output that the block shows, if it shows commands behind a prompt.
	Shown string
	Line  int
}

var fence = regexp.MustCompile("(?ms)^([ \t]*)```([a-z]*)[^\n`]*\n(.*?)^[ \t]*```[ \t]*$")

// Blocks returns the blocks of code of a page, in their order.
func Blocks(page string) []Block {
	var blocks []Block
	for _, m := range fence.FindAllStringSubmatchIndex(page, -1) {
		indent := page[m[2]:m[3]]
		text := page[m[6]:m[7]]
		if indent != "" {
			text = strings.ReplaceAll("\n"+text, "\n"+indent, "\n")[1:]
		}
		blocks = append(blocks, Block{
			Language: page[m[4]:m[5]], Text: text, Line: strings.Count(page[:m[6]], "\n") + 1, start: m[6], end: m[7],
		})
	}
	return blocks
}

// HasPrompt reports whether a block shows commands behind a prompt, with their output.
func (b Block) HasPrompt() bool { return strings.HasPrefix(b.Text, "$ ") }

// Commands returns the commands of a block in the language of a shell, or behind prompts; of others none.
func (b Block) Commands() []Command {
	if !b.HasPrompt() && !slices.Contains([]string{"sh", "bash", "console"}, b.Language) {
		return nil
	}
	var commands []Command
	open := false
	line := b.Line - 1
	for text := range strings.Lines(b.Text) {
		line++
		last := len(commands) - 1
		typed, prompt := strings.CutPrefix(text, "$ ")
		switch {
		case open:
			commands[last].Text += text
		case b.HasPrompt() && !prompt:
			commands[last].Shown += text
			continue
		case strings.TrimSpace(text) == "" || strings.HasPrefix(strings.TrimSpace(text), "#"):
			continue
		default:
			commands = append(commands, Command{Text: typed, Line: line})
		}
		open = continues(text)
	}
	for i := range commands {
		commands[i].Text = strings.TrimSuffix(commands[i].Text, "\n")
	}
	return commands
}

func continues(line string) bool {
	line = strings.TrimRight(line, "\n")
	return strings.HasSuffix(line, `\`) || strings.HasSuffix(line, " |") || strings.HasSuffix(line, " &&")
}

// WithOutputs returns the page with the outputs of the commands of a block replaced.
func (b Block) WithOutputs(page string, commands []Command) string {
	var text strings.Builder
	for _, c := range commands {
		text.WriteString("$ " + c.Text + "\n" + c.Shown)
	}
	return page[:b.start] + text.String() + page[b.end:]
}

var span = regexp.MustCompile("`([^`\n]+)`")

// Spans returns the code in the sentences and tables of a page, without its blocks.
func Spans(page string) []string {
	var found []string
	for _, m := range span.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		found = append(found, strings.ReplaceAll(m[1], `\|`, "|"))
	}
	return found
}
