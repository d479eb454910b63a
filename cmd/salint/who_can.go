package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/rbac"
)

const whoCanDescription = "The subjects that the RBAC of the repository allows it, without a cluster: users, groups and accounts, with the\n" +
	"binding and the role. Without -n all namespaces are looked at, -A asks who may in all of them together (NAMESPACE *).\n" +
	"Members of a group are not known, and roles that are not in the repository are listed as unknown. What every cluster\n" +
	"allows to everybody is listed and marked; what it allows to administrators (system:masters) and to its own components is not."

const whoCanExitCodes = `
EXIT CODES:
   0  somebody may
   1  nobody may; also where something is not known
   2  wrong usage, unreadable input, or a fault; with --strict also where something is not known
`

func (c *command) whoCanCommand() *cli.Command {
	return &cli.Command{
		Name:        "who-can",
		Usage:       "list the subjects that may do something, and through which binding",
		ArgsUsage:   "VERB TYPE[.GROUP][/NAME] | VERB /URL",
		Description: whoCanDescription,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "no-headers", Usage: "print no head", DisableDefaultText: true},
		}, questionFlags()...),
		CustomHelpTemplate: helpWith(whoCanExitCodes,
			"salint who-can create clusterextensions",
			"salint who-can get secrets -n argocd --format json"),
		Action: c.whoCan,
	}
}

func (c *command) whoCan(ctx *cli.Context) error {
	if err := checkQuestion(ctx); err != nil {
		return err
	}
	namespace := ctx.String("namespace")
	if namespace == "" && !ctx.Bool("all-namespaces") {
		namespace = rbac.AnyNamespace
	}
	a, err := c.newAsker(ctx, loader.RBAC(), namespace)
	if err != nil {
		return err
	}
	holders := a.scene.Who(a.request)
	holders.Warnings = a.warnings
	if !holders.Any() {
		c.exit = exitFindings
	}
	c.strict(ctx, holders.Doubts)
	a.printer.NoHeaders = ctx.Bool("no-headers")
	write := a.printer.Holders
	if ctx.String("format") == "json" {
		write = a.printer.HoldersJSON
	}
	if !ctx.Bool("quiet") {
		err = write(c.Stdout, holders)
	}
	c.warn(holders.Warnings)
	return errors.Join(err, a.faults(holders.Doubts))
}
