package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/plan"
	"github.com/salint/salint/internal/ask/starter"
	"github.com/salint/salint/internal/ask/usage"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/restmap"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/output/fleet"
	"github.com/salint/salint/internal/output/report"
	"github.com/salint/salint/internal/output/schema"
	"github.com/salint/salint/internal/output/terminal"
	"github.com/salint/salint/rules"
)

// completionFlag is the flag that the scripts append to a command line to request completions. The library's flag of this
// name does not complete values, and reads the command line of the process instead of its arguments.
const completionFlag = "--generate-bash-completion"

var shells = []string{"bash", "zsh", "fish", "powershell"}

// complete prints the words that could follow, one per line. The word under the cursor is included only if it begins with a
// dash; the shell selects those that begin with it.
func (c *command) complete(ctx context.Context, words []string) int {
	for _, candidate := range candidates(ctx, c.app(), words) {
		if _, err := fmt.Fprintln(c.Stdout, candidate); err != nil {
			return exitError
		}
	}
	return exitOK
}

// candidates returns nothing if a file is expected, so that the shell completes files.
func candidates(ctx context.Context, app *cli.App, words []string) []string {
	command, rest := findCommand(app, words)
	last := ""
	if len(rest) > 0 {
		last = rest[len(rest)-1]
	}
	if command != nil && last == "=" && len(rest) > 1 { // bash divides words at the sign
		rest = rest[:len(rest)-1]
		last = rest[len(rest)-1]
	}
	switch {
	case command == nil && strings.HasPrefix(last, "-"):
		return flagsLike(app.Flags, last)
	case command == nil:
		return commandNames(app.Commands)
	case strings.HasPrefix(last, "--") && strings.Contains(last, "="):
		return flagWithValues(ctx, command, last)
	case takesValue(command, last):
		return flagValues(ctx, command, longName(command, strings.TrimLeft(last, "-")))
	case looksLikeFlag(last) && !isSwitch(command, last):
		return flagsLike(command.Flags, last)
	}
	return argumentsOf(ctx, command, rest)
}

// flagWithValues returns --flag=value for the values that complete a word.
func flagWithValues(ctx context.Context, command *cli.Command, word string) (words []string) {
	flag, _, _ := strings.Cut(word, "=")
	for _, value := range flagValues(ctx, command, longName(command, strings.TrimLeft(flag, "-"))) {
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
		case !looksLikeFlag(words[i]):
			n++
		case takesValue(command, words[i]):
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

// flagValues returns the values of a flag, if they can be listed.
func flagValues(ctx context.Context, command *cli.Command, flag string) []string {
	switch flag {
	case "target":
		return append([]string{"auto"}, targetNames()...)
	case "from", "to", "targets":
		if command.Name == "plan" {
			return targetNames()
		}
	case "format":
		return formatsOf(command)
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
		return runtimes
	case "certificates":
		return certificates
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

// formatsOf returns the formats of a command.
func formatsOf(command *cli.Command) []string {
	switch command.Name {
	case "can-i", "uses":
		return answerFormats
	case "who-can":
		return chainFormats
	case "diff":
		return diffFormats
	case "build":
		return buildFormats
	case "graph":
		return graphFormats
	case "plan":
		return plan.Formats
	case "preflight":
		return answer.Formats()
	case "bundle-diff":
		return bundleDiffFormats
	case "rules", "targets":
		return listFormats
	case "report":
		return fleet.Formats
	}
	return report.Formats()
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
		return commandNames(command.Subcommands)
	case command.Name == "rules":
		return ruleNames(ctx)
	case command.Name == "completion":
		return shells
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

// completion returns a script with which a shell requests completions from salint.
func completion(shell string) (string, error) {
	switch shell {
	case "bash":
		return bashCompletion, nil
	case "zsh":
		return zshCompletion, nil
	case "fish":
		return fishCompletion, nil
	case "powershell":
		return powershellCompletion, nil
	case "":
		return "", errors.New("specify a shell: bash, zsh, fish, or powershell")
	}
	return "", fmt.Errorf("no completion for %q: use bash, zsh, fish, or powershell", shell)
}

const bashCompletion = `# completion of salint for bash; load it with: source <(salint completion bash)
_salint() {
  local current words
  current="${COMP_WORDS[COMP_CWORD]}"
  [[ $current == "=" ]] && current=""
  words=("${COMP_WORDS[@]:0:COMP_CWORD}")
  if [[ $current == -* ]]; then
    words+=("$current")
  fi
  mapfile -t COMPREPLY < <(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$current")
}
complete -o bashdefault -o default -F _salint salint
`

const zshCompletion = `#compdef salint
# completion of salint for zsh; load it with: source <(salint completion zsh)
_salint() {
  local -a answers
  local current="${words[CURRENT]}"
  if [[ $current == -* ]]; then
    answers=("${(@f)$(${words[1,CURRENT-1]} $current --generate-bash-completion 2>/dev/null)}")
  else
    answers=("${(@f)$(${words[1,CURRENT-1]} --generate-bash-completion 2>/dev/null)}")
  fi
  if [[ -n ${answers[1]} ]]; then
    _describe 'values' answers
  else
    _files
  fi
}
compdef _salint salint
`

const fishCompletion = `# completion of salint for fish; load it with: salint completion fish | source
function __salint_answers
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    if string match -q -- '-*' $current
        set -a words $current
    end
    command salint $words --generate-bash-completion 2>/dev/null
end
complete -c salint -n 'count (__salint_answers) >/dev/null' -f -a '(__salint_answers)'
`

const powershellCompletion = `# completion of salint for PowerShell; load it with: salint completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName salint -ScriptBlock {
  param($current, $ast, $position)
  $words = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  if ($current -and -not $current.StartsWith('-')) { $words = $words[0..($words.Count - 2)] }
  $rest = @($words | Select-Object -Skip 1)
  & $words[0] @rest --generate-bash-completion 2>$null | Where-Object { $_ -like "$current*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`

func (c *command) completionCommand() *cli.Command {
	return &cli.Command{
		Name:               "completion",
		Usage:              "print a completion script for a shell",
		ArgsUsage:          "SHELL",
		Description:        "SHELL is bash, zsh, fish, or powershell.",
		CustomHelpTemplate: commandHelp("source <(salint completion bash)", "salint completion fish > ~/.config/fish/completions/salint.fish"),
		Action: func(ctx *cli.Context) error {
			script, err := completion(ctx.Args().First())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.Stdout, script)
			return err
		},
	}
}
