package commandhelp

import (
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/internal/output/help"
)

// Group names flags of a command: those that --help shows, and the others.
type Group struct {
	Title       string
	First, Rest []string
}

// Groups are the groups of commands with many flags; the flags of others are one group.
var Groups = map[string][]Group{
	"lint": {
		{"WHAT IS CHECKED", fields("target only disable changed-since"), fields("enable config merge config-from settings-since policy bundle helm-api-versions baseline write-baseline now workspace")},
		{"FIXING", fields("fix unsafe-fixes prune diff"), fields("prune-only shared grant set-target")},
		{"OUTPUT", fields("format fail-on verbose"), fields("output group min-severity statistics show-suppressed chains quiet color progress stats repository revision version help")},
		{"LIMITS", nil, fields("strict limits cache")},
	},
	"plan": {
		{"WHICH RELEASES", fields("to all-targets"), fields("targets from")},
		{"WHAT IS READ", fields("catalog"), fields("bundle config merge helm-api-versions limits workspace")},
		{"MANY REPOSITORIES", fields("reports"), fields("expect not-before verify")},
		{"OUTPUT", fields("format"), fields("progress help")},
	},
	"can-i": {
		{"THE QUESTION", fields("as as-group namespace all-namespaces subresource list"), fields("every no-headers")},
		{"WHAT IS READ", fields("file target"), fields("config merge helm-api-versions limits workspace")},
		{"OUTPUT", fields("format quiet"), fields("strict help")},
	},
	"who-can": {
		{"THE QUESTION", fields("namespace all-namespaces subresource become"), nil},
		{"WHAT IS READ", fields("file target"), fields("config merge helm-api-versions limits workspace")},
		{"OUTPUT", fields("format quiet"), fields("no-headers strict help")},
	},
	"preflight": {
		{"WHAT IS INSTALLED", fields("bundle extension namespace"), fields("from package values watch-namespace certificates catalog channel version installed helm-api-versions")},
		{"WHO INSTALLS IT", fields("service-account errors"), fields("granted as as-group")},
		{"ON WHICH RELEASE", fields("target"), fields("runtime escalation collection-verbs finalizers config merge")},
		{"OUTPUT", fields("format all"), fields("verbose limits help")},
	},
}

func fields(text string) []string { return strings.Fields(text) }

const (
	exitCodesTitle = "\nEXIT CODES:\n"
	examplesTitle  = "\nEXAMPLES:\n"
)

// Of returns the examples of a command for its help, which Set completes.
func Of(examples ...string) string { return With("", examples...) }

// With is Of with exit codes, which begin with their title.
func With(exitCodes string, examples ...string) string {
	return exitCodes + examplesTitle + strings.Join(examples, "\n")
}

// Set sets the help of commands and of their subcommands; with all, it has every flag.
func Set(commands []*cli.Command, before string, all bool) {
	for _, c := range commands {
		text := helpOf(c, before+c.Name, all).String()
		c.CustomHelpTemplate = strings.ReplaceAll(text, "{{", `{{"{{"}}`)
		Set(c.Subcommands, before+c.Name+" ", all)
	}
}

func helpOf(c *cli.Command, name string, all bool) help.Command {
	exitCodes, examples, _ := strings.Cut(c.CustomHelpTemplate, examplesTitle)
	h := help.Command{
		Name: "salint " + name, Summary: c.Usage, Usage: "salint " + name, Description: c.Description,
		Examples: strings.Split(examples, "\n"), ExitCodes: codeLines(exitCodes),
	}
	if len(c.Subcommands) > 0 {
		h.Usage += " COMMAND"
	}
	h.Usage = strings.TrimSpace(h.Usage + " [FLAGS] " + c.ArgsUsage)
	for _, sub := range c.Subcommands {
		h.Commands = append(h.Commands, help.Flag{Name: sub.Name, Usage: sub.Usage})
	}
	groups, known := Groups[name]
	if !known {
		h.Groups = []help.Group{{Title: "FLAGS", Flags: helpFlags(c, nil)}}
		return h
	}
	for _, g := range groups {
		shown := g.First
		if all {
			shown = slices.Concat(g.First, g.Rest)
		}
		if len(shown) > 0 {
			h.Groups = append(h.Groups, help.Group{Title: g.Title, Flags: helpFlags(c, shown)})
		}
	}
	if !all {
		h.More = "salint " + name + " " + arguments.HelpAllFlag + " lists all flags."
	}
	return h
}

// codeLines returns the lines of exit codes, without their title.
func codeLines(text string) (lines []string) {
	text = strings.TrimPrefix(text, exitCodesTitle)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// repeated is how the library says that a flag can be given several times, which the usage says in words.
var repeated = regexp.MustCompile(` \[ .* \]$`)

// helpFlags returns the named flags in this order, or all that are visible.
func helpFlags(c *cli.Command, named []string) []help.Flag {
	var flags []help.Flag
	of := map[string]help.Flag{}
	for _, flag := range slices.Concat(c.Flags, []cli.Flag{cli.HelpFlag}) {
		name, usage, _ := strings.Cut(flag.String(), "\t")
		f := help.Flag{Name: shortFirst(repeated.ReplaceAllString(name, "")), Usage: usage}
		flags, of[flag.Names()[0]] = append(flags, f), f
	}
	if named == nil {
		return flags
	}
	flags = nil
	for _, name := range named {
		flags = append(flags, of[name])
	}
	return flags
}

// shortFirst writes --format FORMAT, -o FORMAT as -o, --format FORMAT.
func shortFirst(names string) string {
	long, short, found := strings.Cut(names, ", ")
	if !found {
		return names
	}
	short, _, _ = strings.Cut(short, " ")
	return short + ", " + long
}
