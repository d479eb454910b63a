package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/completion"
	"github.com/salint/salint/cmd/salint/internal/preflightargs"
	"github.com/salint/salint/internal/ask/plan/formats"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/output/fleet"
	"github.com/salint/salint/internal/output/report"
)

// complete prints the words that could follow, one per line. The word under the cursor is included only if it begins with a
// dash; the shell selects those that begin with it.
func (c *command) complete(ctx context.Context, words []string) int {
	values := completion.Values{Formats: formatsOf, Runtimes: preflightargs.Runtimes, Certificates: preflightargs.Certificates}
	for _, candidate := range values.Candidates(ctx, c.app(), words) {
		if _, err := fmt.Fprintln(c.Stdout, candidate); err != nil {
			return exitError
		}
	}
	return exitOK
}

// formatsOf returns the formats of a command.
func formatsOf(command string) []string {
	switch command {
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
		return formats.Names
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

func (c *command) completionCommand() *cli.Command {
	return &cli.Command{
		Name:               "completion",
		Usage:              "print a completion script for a shell",
		ArgsUsage:          "SHELL",
		Description:        "SHELL is bash, zsh, fish, or powershell.",
		CustomHelpTemplate: commandhelp.Of("source <(salint completion bash)", "salint completion fish > ~/.config/fish/completions/salint.fish"),
		Action: func(ctx *cli.Context) error {
			script, err := completion.Script(ctx.Args().First())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.Stdout, script)
			return err
		},
	}
}
