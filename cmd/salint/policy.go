package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/rules"
)

func (c *command) policyCommand() *cli.Command {
	return &cli.Command{
		Name:               "policy",
		Usage:              "develop your own Rego rules",
		CustomHelpTemplate: commandhelp.Of("salint policy test policy/", "salint lint --policy policy/"),
		Action:             func(*cli.Context) error { return fmt.Errorf("a subcommand is required: salint policy test DIR") },
		Subcommands: []*cli.Command{{
			Name:               "test",
			Usage:              "run the unit tests of a folder of Rego rules, with salint's built-in functions",
			ArgsUsage:          "DIR",
			CustomHelpTemplate: commandhelp.Of("salint policy test policy/", "salint policy test ."),
			OnUsageError:       arguments.UsageError,
			HideHelpCommand:    true,
			Action:             c.policyTest,
		}},
	}
}

func (c *command) policyTest(ctx *cli.Context) error {
	dir := ctx.Args().First()
	if dir == "" || ctx.NArg() > 1 {
		return fmt.Errorf("salint policy test takes one folder")
	}
	_, failed, err := rules.TestPolicies(ctx.Context, c.abs(dir), c.openNamed, c.Stdout)
	if failed > 0 {
		c.exit = exitFindings
	}
	return err
}
