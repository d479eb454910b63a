package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
)

// manSection is the section of manual pages about commands.
const manSection = 1

// manCommand prints the manual page that packages contain. It is hidden: users read it with man.
func (c *command) manCommand() *cli.Command {
	return &cli.Command{
		Name:               "man",
		Usage:              "print the manual page",
		Hidden:             true,
		CustomHelpTemplate: commandhelp.Of("salint man > salint.1"),
		Action: func(ctx *cli.Context) error {
			if ctx.Args().Present() {
				return fmt.Errorf("unexpected argument %q", ctx.Args().First())
			}
			page, err := manual(ctx.App)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.Stdout, page)
			return err
		},
	}
}

// manual returns the manual page of all commands that are not hidden, in the language of troff.
func manual(app *cli.App) (string, error) {
	return app.ToManWithSection(manSection)
}
