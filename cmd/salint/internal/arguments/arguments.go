package arguments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/base/nearest"
)

// HelpAllFlag is --help with all flags. The help of a command with many flags begins with those that people use.
const HelpAllFlag = "--help-all"

// WithoutHelpAll replaces --help-all, which no command declares, by --help.
func WithoutHelpAll(args []string) (replaced []string, all bool) {
	replaced = slices.Clone(args)
	for i, arg := range args {
		switch arg {
		case "--":
			return replaced, all
		case HelpAllFlag:
			replaced[i], all = "--help", true
		}
	}
	return replaced, all
}

// Reorder moves the flags of a command before its arguments, because the library stops parsing flags at the first argument.
// Words after -- are arguments whatever they look like. A flag without its value is an error, so that it does not consume
// the flag after it.
func Reorder(app *cli.App, args []string) ([]string, error) {
	command, rest := FindCommand(app, args)
	if command == nil {
		return args, nil
	}
	head := args[:len(args)-len(rest)]
	var flags, arguments []string
	for i := 0; i < len(rest); i++ {
		arg := rest[i]
		if arg == "--" {
			arguments = append(arguments, rest[i+1:]...)
			break
		}
		if !LooksLikeFlag(arg) {
			arguments = append(arguments, arg)
			continue
		}
		if isHelp(arg) && len(command.Subcommands) == 0 {
			return append(slices.Clone(head), arg), nil // also after arguments of a command that was begun
		}
		flags = append(flags, arg)
		if !TakesValue(command, arg) {
			continue
		}
		if i++; i == len(rest) || LooksLikeFlag(rest[i]) {
			return nil, needsValue(head, arg, rest[i:])
		}
		flags = append(flags, rest[i])
	}
	return slices.Concat(head, flags, []string{"--"}, arguments), nil
}

func isHelp(arg string) bool {
	return slices.Contains(cli.HelpFlag.Names(), strings.TrimLeft(arg, "-"))
}

// LooksLikeFlag reports whether an argument begins like a flag. It is also true for --; a single dash is standard input.
func LooksLikeFlag(arg string) bool { return arg != "-" && strings.HasPrefix(arg, "-") }

func needsValue(command []string, flag string, rest []string) error {
	name := dashed(strings.TrimLeft(flag, "-"))
	if len(rest) > 0 && rest[0] != "--" {
		return fmt.Errorf("flag needs an argument: %s; write a value that begins with a dash as %s=%s", name, name, rest[0])
	}
	return fmt.Errorf("flag needs an argument: %s; see salint %s --help", name, strings.Join(command, " "))
}

// FindCommand follows the command names at the beginning of the arguments. It returns the command, nil if there is none, and the other arguments.
func FindCommand(app *cli.App, args []string) (*cli.Command, []string) {
	var found *cli.Command
	commands := app.Commands
	for len(args) > 0 {
		next := commandNamed(commands, args[0])
		if next == nil {
			break
		}
		found, commands, args = next, next.Subcommands, args[1:]
	}
	return found, args
}

func commandNamed(commands []*cli.Command, name string) *cli.Command {
	for _, command := range commands {
		if command.HasName(name) {
			return command
		}
	}
	return nil
}

// TakesValue returns whether the next argument is the value of a flag.
func TakesValue(command *cli.Command, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	for _, flag := range command.Flags {
		if slices.Contains(flag.Names(), name) {
			_, isBool := flag.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}

// Suggestion returns the end of a message about an unknown name: the known one that was probably meant, or "".
func Suggestion(name string, known []string) string {
	if meant := nearest.Name(name, known); meant != "" {
		return " (did you mean " + meant + "?)"
	}
	return ""
}

// CommandNames returns the names of commands that are not hidden.
func CommandNames(commands []*cli.Command) []string {
	var names []string
	for _, command := range commands {
		if !command.Hidden {
			names = append(names, command.Name)
		}
	}
	return names
}
