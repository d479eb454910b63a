package main

import (
	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/rbac"
)

const whoCanDescription = "Lists users, groups, and accounts that the RBAC of the repository allows to do something, without a cluster, with the\n" +
	"binding and the role. Without -n, all namespaces are searched; -A asks who can do it in all of them together\n" +
	"(NAMESPACE *). Members of a group are unknown, and roles that are not in the repository are listed as unknown. Grants that are\n" +
	"limited to objects with some names are listed after the others, and do not count as an answer. Default\n" +
	"grants of every cluster to all users are listed and marked; its grants to administrators (system:masters) and to its\n" +
	"own components are not listed.\n" +
	"--become lists who can become cluster-admin, a user, an account, or an administrator of a Grafana, with the shortest\n" +
	"chain of steps of each, such as creating pods that run as a powerful account. Only RBAC counts: admission policies and\n" +
	"Pod Security can prevent steps."

const whoCanExitCodes = `
EXIT CODES:
   0  at least one subject can
   1  no subject can, or unknown
   2  usage error, unreadable input, or internal error; with --strict also if unknowns could change the answer
`

func (c *command) whoCanCommand() *cli.Command {
	return &cli.Command{
		Name:        "who-can",
		Usage:       "list the subjects that can do something, and through which binding",
		ArgsUsage:   "VERB TYPE[.GROUP][/NAME] | VERB /URL | --become IDENTITY",
		Description: whoCanDescription,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "no-headers", Usage: "omit the header row", DisableDefaultText: true},
			&cli.StringFlag{Name: "become", Usage: "list who can become `IDENTITY`: cluster-admin, a user, system:serviceaccount:NAMESPACE:NAME, or grafana-admin:NAMESPACE/NAME"},
		}, questionFlags(chainFormats)...),
		CustomHelpTemplate: commandhelp.With(whoCanExitCodes,
			"salint who-can create clusterextensions",
			"salint who-can get secrets -n argocd --format json",
			"salint who-can --become cluster-admin --format mermaid"),
		Action: c.whoCan,
	}
}

func (c *command) whoCan(ctx *cli.Context) error {
	if ctx.IsSet("become") {
		return c.whoCanBecome(ctx)
	}
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
	a.scene.Strict = ctx.Bool("strict")
	holders := a.scene.Who(a.request)
	holders.Warnings = append(holders.Warnings, a.warnings...)
	if !holders.Any() {
		c.exit = exitFindings
	}
	c.strict(ctx, holders.Doubtful())
	a.printer.NoHeaders = ctx.Bool("no-headers")
	write := a.printer.Holders
	if ctx.String("format") == "json" {
		write = a.printer.HoldersJSON
	}
	if !ctx.Bool("quiet") {
		err = write(c.Stdout, holders)
	}
	c.warn(holders.Warnings)
	return err
}
