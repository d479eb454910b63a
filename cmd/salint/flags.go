package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/output/report"
)

func lintFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a `MODEL` (required, synthetic, ignored, removed) or a release such as olm-1.11 or ocp-4.20"},
		&cli.BoolFlag{Name: "fix", Usage: "apply the safe fixes", DisableDefaultText: true},
		&cli.BoolFlag{Name: "unsafe-fixes", Usage: "with --fix or --diff: also those that may change behaviour", DisableDefaultText: true},
		&cli.BoolFlag{Name: "diff", Usage: "print what --fix would change as a unified diff, and change nothing", DisableDefaultText: true},
		&cli.StringFlag{Name: "grant", Usage: "`HOW` --fix grants permissions to a synthetic identity, or under required to the account: carry-over, least-privilege (what its bundle needs), group, role=NAME (default: carry-over)"},
		&cli.StringSliceFlag{Name: "bundle", Usage: "`EXTENSION=DIR`: the bundle of an extension, as bundles: in .salint.yaml names it; may be repeated"},
		&cli.BoolFlag{Name: "prune", Usage: "with --fix or --diff: remove what only the removed field kept alive", DisableDefaultText: true},
		&cli.StringFlag{Name: "format", Value: "text", Usage: "`FORMAT` of the report: " + strings.Join(report.Formats(), ", ")},
		&cli.StringSliceFlag{Name: "output", Usage: "`FORMAT=FILE`: another report, to a file; may be repeated"},
		&cli.StringFlag{Name: "fail-on", Usage: "`SEVERITY` from which on the exit code is 1: error, warning, note, never (default: warning)"},
		&cli.StringSliceFlag{Name: "enable", Usage: "`RULE` or glob to run although it is opt-in or off; may be repeated"},
		&cli.StringSliceFlag{Name: "disable", Usage: "`RULE` or glob not to run; may be repeated"},
		&cli.StringSliceFlag{Name: "policy", Usage: "`DIR` with Rego rules of your own; may be repeated"},
		&cli.StringFlag{Name: "baseline", Usage: "`FILE` with known findings that are not reported"},
		&cli.StringFlag{Name: "write-baseline", Usage: "write the findings of this run to `FILE`, as known from now on, and end with 0"},
		&cli.StringFlag{Name: "changed-since", Usage: "report only on files that git says changed since `REV`"},
		&cli.StringFlag{Name: "config", Usage: "`FILE` to read instead of the nearest .salint.yaml"},
		apiVersions(),
		&cli.StringFlag{Name: "now", Usage: "`TIME` in RFC 3339 to take for the current one (default: now)"},
		&cli.BoolFlag{Name: "quiet", Usage: "print the findings and nothing else", DisableDefaultText: true},
		&cli.BoolFlag{Name: "verbose", Usage: "also say what each finding was judged for, and what its rule says", DisableDefaultText: true},
		&cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN` to use colours: auto, always, never"},
		&cli.StringFlag{Name: "progress", Value: "auto", Usage: "`WHEN` to show a progress line: auto, always, never"},
		&cli.BoolFlag{Name: "version", Usage: "print the version", DisableDefaultText: true},
	}
}

// commandHelp is the help of a command: what it does, its subcommands, its flags, and two examples.
func commandHelp(examples ...string) string { return helpWith("", examples...) }

// helpWith has one more section before the examples.
func helpWith(section string, examples ...string) string {
	return `{{.HelpName}} - {{.Usage}}

USAGE:
   {{.HelpName}}{{if .VisibleCommands}} COMMAND{{end}} [FLAGS]{{if .ArgsUsage}} {{.ArgsUsage}}{{end}}{{if .Description}}

{{.Description}}{{end}}{{if .VisibleCommands}}

COMMANDS:{{range .VisibleCommands}}
   {{printf "%-15s" .Name}}{{.Usage}}{{end}}{{end}}{{if .VisibleFlags}}

FLAGS:{{range .VisibleFlags}}
   {{.}}{{end}}{{end}}
` + section + `
EXAMPLES:
   ` + strings.Join(examples, "\n   ") + "\n"
}

const lintExitCodes = `
EXIT CODES:
   0  nothing at or above --fail-on, with --fix among what is left; with --write-baseline, whatever is found
   1  findings, or --diff printed a change
   2  wrong usage, unreadable input, or a fault
`
