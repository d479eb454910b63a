package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/internal/output/schema"
)

func (c *command) schemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the JSON Schema of .salint.yaml, of what rules get, or commands print",
		ArgsUsage: "NAME",
		Description: "config is the schema of .salint.yaml, input that of what rules get as input, and capabilities are those of rules, for OPA's tools:\n" +
			"opa check --schema FILE --capabilities FILE. report is the schema of salint lint --format json, and rules that of salint rules --format json.\n" +
			"The others are named after their commands: " + strings.Join(schema.Names(), ", ") + ".",
		CustomHelpTemplate: commandhelp.Of("salint schema config > .salint.schema.json", "salint schema report"),
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() != 1 {
				return errors.New("salint schema takes one name: " + strings.Join(schema.Names(), ", "))
			}
			text, err := schema.Text(ctx.Args().First())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.Stdout, strings.ReplaceAll(string(text), "\r\n", "\n"))
			return err
		},
	}
}
