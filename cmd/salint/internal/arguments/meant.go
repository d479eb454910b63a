package arguments

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// otherCommands are names that other tools give to what a command does.
var otherCommands = map[string]string{
	"analyze": "lint", "audit": "lint", "check": "lint", "fs": "lint", "run": "lint", "scan": "lint", "test": "lint", "validate": "lint", "verify": "lint",
	"apply": "lint --fix", "fix": "lint --fix", "format": "lint --fix", "prune": "lint --fix --prune", "migrate": "plan", "upgrade": "plan",
	"explain": "rules RULE", "rule": "rules", "checks": "rules", "list": "rules", "auth": "can-i", "compare": "diff", "render": "build", "template": "build",
	"config": "init", "serve": "lsp", "server": "lsp", "baseline": "lint --write-baseline", "who": "who-can", "can": "can-i",
}

// otherFlags are names that other tools give to a flag, in the order in which a command that has the flag is found.
var otherFlags = map[string][]string{
	"dry-run": {"diff"}, "check": {"diff"}, "write": {"fix"}, "auto-fix": {"fix"}, "autofix": {"fix"},
	"json": {"format json"}, "sarif": {"format sarif"}, "html": {"format html"}, "markdown": {"format markdown"}, "f": {"format"},
	"output-format": {"format"}, "output-file": {"output FORMAT=FILE"}, "out": {"output FORMAT=FILE"}, "filename": {"file"},
	"severity": {"min-severity", "fail-on"}, "ignore": {"disable"}, "exclude": {"disable"}, "skip": {"disable"}, "rule": {"only"}, "rules": {"only"},
	"new-from-rev": {"changed-since"}, "since": {"changed-since"}, "release": {"target"}, "version-target": {"target"},
	"fix-unsafe": {"unsafe-fixes"}, "unsafe": {"unsafe-fixes"}, "exit-code": {"fail-on"}, "no-fail": {"fail-on never"}, "silent": {"quiet"}, "debug": {"verbose"}, "no-color": {"color never"},
	"sa": {"service-account"}, "user": {"as"}, "group": {"as-group"},
}

// commandsOfFlags are flags of other tools for which another command, or an argument, stands here.
var commandsOfFlags = map[string]string{
	"dry-run": "salint lint --diff, which changes nothing", "base": "the revision as an argument: salint diff main", "fix": "salint lint --fix",
	"f": "--format after a command, as in salint lint --format json", "format": "--format after a command, as in salint lint --format json",
}

// MeantCommand returns the end of a message about an unknown command: the one that was probably meant, or "".
func MeantCommand(name string, known []string) string {
	if meant := otherCommands[strings.ToLower(name)]; meant != "" {
		return " (did you mean salint " + meant + "?)"
	}
	return Suggestion(name, known)
}

// meantFlag returns the flag of a command, with its value, that another name stands for; "" if the command has none.
func meantFlag(command *cli.Command, name string) string {
	if command == nil {
		return ""
	}
	for _, meant := range otherFlags[strings.ToLower(name)] {
		flag, _, _ := strings.Cut(meant, " ")
		if slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), flag) }) {
			return meant
		}
	}
	return ""
}
