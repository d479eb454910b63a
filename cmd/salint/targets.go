package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/output/listing"
)

func (c *command) targetsCommand() *cli.Command {
	return &cli.Command{
		Name:  "targets",
		Usage: "list the targets, and the commands that print which release a cluster runs",
		Description: "Lists the releases and models for --target, how each treats spec.serviceAccount of a ClusterExtension, and the source of that.\n" +
			"A later release is treated like the last one listed before it. A name that ends in -proposed is a release as a proposal\n" +
			"describes it, not as it was shipped.",
		Flags: []cli.Flag{
			flags.Format("list", listFormats),
		},
		CustomHelpTemplate: commandhelp.Of("salint targets", "salint targets --format json"),
		Action:             c.targets,
	}
}

func (c *command) targets(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return fmt.Errorf("salint targets takes no arguments")
	}
	switch format := ctx.String("format"); format {
	case "text":
		return listing.Targets(c.Stdout)
	case "json":
		return listing.TargetsJSON(c.Stdout)
	default:
		return noFormat(format, listFormats)
	}
}
