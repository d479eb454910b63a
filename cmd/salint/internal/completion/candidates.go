package completion

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/starter"
	"github.com/salint/salint/internal/ask/usage"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/restmap"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/output/report"
	"github.com/salint/salint/internal/output/schema"
	"github.com/salint/salint/internal/output/terminal"
	"github.com/salint/salint/rules"
)

// Values are those of flags of which each command has its own.
type Values struct {
	// Formats returns the formats of a command.
	Formats                func(command string) []string
	Runtimes, Certificates []string
}

// Candidates returns the words that could follow those of a command line. It returns nothing if a file is expected, so that the shell completes
// files.
func (v Values) Candidates(ctx context.Context, app *cli.App, words []string) []string {
	command, rest := arguments.FindCommand(app, words)
	last := ""
	if len(rest) > 0 {
		last = rest[len(rest)-1]
	}
	if command != nil && last == "=" && len(rest) > 1 { // bash divides words there
		rest = rest[:len(rest)-1]
		last = rest[len(rest)-1]
	}
	switch {
	case command == nil && strings.HasPrefix(last, "-"):
		return flagsLike(app.Flags, last)
	case command == nil:
		return arguments.CommandNames(app.Commands)
	case strings.HasPrefix(last, "--") && strings.Contains(last, "="):
		return v.assigned(ctx, command, last)
	case arguments.TakesValue(command, last):
		return v.of(ctx, command, longName(command, strings.TrimLeft(last, "-")))
	case arguments.LooksLikeFlag(last) && !isSwitch(command, last):
		return flagsLike(command.Flags, last)
	}
	return argumentsOf(ctx, command, rest)
}

// assigned returns --flag=value for the values that complete a word.
func (v Values) assigned(ctx context.Context, command *cli.Command, word string) (words []string) {
	flag, _, _ := strings.Cut(word, "=")
	for _, value := range v.of(ctx, command, longName(command, strings.TrimLeft(flag, "-"))) {
		if candidate := flag + "=" + value; strings.HasPrefix(candidate, word) {
			words = append(words, candidate)
		}
	}
	return words
}

// countArguments counts the words that are neither flags nor their values.
func countArguments(command *cli.Command, words []string) int {
	n := 0
	for i := 0; i < len(words); i++ {
		switch {
		case !arguments.LooksLikeFlag(words[i]):
			n++
		case arguments.TakesValue(command, words[i]):
			i++
		}
	}
	return n
}

// isSwitch returns whether a word is a complete flag.
func isSwitch(command *cli.Command, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	return slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
}

func flagsLike(flags []cli.Flag, word string) []string {
	var names []string
	for _, flag := range append(slices.Clone(flags), cli.HelpFlag) {
		if visible, ok := flag.(cli.VisibleFlag); ok && !visible.IsVisible() {
			continue
		}
		if name := "--" + flag.Names()[0]; strings.HasPrefix(name, word) {
			names = append(names, name)
		}
	}
	return names
}

// longName returns the name of a flag of which -o, for example, is the short form.
func longName(command *cli.Command, name string) string {
	for _, flag := range command.Flags {
		if slices.Contains(flag.Names(), name) {
			return flag.Names()[0]
		}
	}
	return name
}

// of returns the values of a flag, if they can be listed.
func (v Values) of(ctx context.Context, command *cli.Command, flag string) []string {
	switch flag {
	case "target":
		return append([]string{"auto"}, targetNames()...)
	case "from", "to", "targets":
		if command.Name == "plan" {
			return targetNames()
		}
	case "format":
		return v.Formats(command.Name)
	case "output":
		var values []string
		for _, format := range report.Formats() {
			values = append(values, format+"=")
		}
		return values
	case "fail-on":
		return []string{"error", "warning", "note", "never"}
	case "color", "progress":
		return []string{string(terminal.Auto), string(terminal.Always), string(terminal.Never)}
	case "grant":
		return []string{"carry-over", "group", "least-privilege", "role="}
	case "enable", "disable", "only":
		return ruleNames(ctx)
	case "min-severity":
		return []string{"error", "warning", "note"}
	case "group":
		return report.Groupings()
	case "escalation":
		return []string{string(preflight.Hold), string(preflight.Verbs)}
	case "role":
		return starter.GrafanaRoles
	case "runtime":
		return v.Runtimes
	case "certificates":
		return v.Certificates
	}
	return nil
}

func targetNames() []string {
	var names []string
	for _, target := range olm.Targets() {
		names = append(names, target.Name)
	}
	return names
}

func argumentsOf(ctx context.Context, command *cli.Command, words []string) []string {
	asks := command.Name == "can-i" || command.Name == "who-can"
	switch {
	case asks && countArguments(command, words) == 0:
		return access.Verbs()
	case asks && countArguments(command, words) == 1:
		return restmap.Arguments()
	case command.Name == "uses":
		return usage.Kinds()
	case len(command.Subcommands) > 0:
		return arguments.CommandNames(command.Subcommands)
	case command.Name == "rules":
		return ruleNames(ctx)
	case command.Name == "completion":
		return Shells
	case command.Name == "schema":
		return schema.Names()
	}
	return nil
}

func ruleNames(ctx context.Context) []string {
	registry, err := rules.Load(ctx, rules.Options{})
	if err != nil {
		return nil
	}
	return registry.Names()
}
