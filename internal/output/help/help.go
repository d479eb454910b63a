package help

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Width is the maximum width of a line.
const Width = 110

const (
	// margin precedes every line of a section, and flagColumn is the width of the names of flags; longer names have their own line.
	margin     = "   "
	flagColumn = 28
)

// Flag is a flag with its value, such as "--target NAME", and what it does.
type Flag struct{ Name, Usage string }

// Group is a group of flags under a title.
type Group struct {
	Title string
	Flags []Flag
}

// Command is the help of a command.
type Command struct {
	// Name is the name with the program, and Summary says in a few words what it does.
	Name, Summary string
	// Usage is the line of the usage. Description are paragraphs; an empty line separates them, and indented lines stay as they are.
	Usage, Description string
	// Commands are the subcommands.
	Commands []Flag
	Groups   []Group
	// More says how to see the flags that are left out; "" if none are.
	More string
	// ExitCodes has a line for each, and Examples are command lines.
	ExitCodes, Examples []string
}

// String returns the help.
func (c Command) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n\nUSAGE:\n%s%s\n", c.Name, c.Summary, margin, c.Usage)
	if c.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", filled(c.Description))
	}
	if len(c.Commands) > 0 {
		b.WriteString("\nCOMMANDS:\n")
		for _, command := range c.Commands {
			fmt.Fprintf(&b, "%s%-15s%s\n", margin, command.Name, command.Usage)
		}
	}
	for _, g := range c.Groups {
		fmt.Fprintf(&b, "\n%s:\n", g.Title)
		for _, f := range g.Flags {
			b.WriteString(f.lines())
		}
	}
	if c.More != "" {
		fmt.Fprintf(&b, "\n%s\n", c.More)
	}
	if len(c.ExitCodes) > 0 {
		b.WriteString("\nEXIT CODES:\n")
		for _, line := range c.ExitCodes {
			code, meaning, _ := strings.Cut(line, " ")
			fmt.Fprintf(&b, "%s%s\n", margin, hanging(fmt.Sprintf("%-3s ", code), strings.TrimSpace(meaning), len(margin)+4))
		}
	}
	if len(c.Examples) > 0 {
		fmt.Fprintf(&b, "\nEXAMPLES:\n%s%s\n", margin, strings.Join(c.Examples, "\n"+margin))
	}
	return b.String()
}

func (f Flag) lines() string {
	before := fmt.Sprintf("%-*s", flagColumn, f.Name)
	column := len(margin) + flagColumn
	if utf8.RuneCountInString(f.Name) > flagColumn-2 {
		before = f.Name + "\n" + strings.Repeat(" ", column)
	}
	return margin + hanging(before, f.Usage, column) + "\n"
}

// hanging writes a text after what precedes it, with its further lines at a column.
func hanging(before, text string, column int) string {
	return before + strings.Join(wrap(text, Width-column), "\n"+strings.Repeat(" ", column))
}

// filled breaks the lines of paragraphs anew.
func filled(text string) string {
	var out []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		var sentence []string
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, " ") {
				out = append(out, wrap(strings.Join(sentence, " "), Width)...)
				out, sentence = append(out, line), nil
				continue
			}
			sentence = append(sentence, line)
		}
		out = append(append(out, wrap(strings.Join(sentence, " "), Width)...), "")
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

// wrap breaks a text between words; none for an empty text.
func wrap(text string, width int) []string {
	var lines []string
	current := ""
	for _, word := range strings.Fields(text) {
		switch {
		case current == "":
			current = word
		case utf8.RuneCountInString(current)+1+utf8.RuneCountInString(word) > width:
			lines, current = append(lines, current), word
		default:
			current += " " + word
		}
	}
	if current == "" {
		return lines
	}
	return append(lines, current)
}
