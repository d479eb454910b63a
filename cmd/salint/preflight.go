package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/cmd/salint/internal/preflightargs"
	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/escalation"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/assess"
)

const preflightDescription = "Reads the extension, its namespace, its account, and its release from the manifests in the paths (default: the current\n" +
	"folder). For an extension that does not exist yet, set --extension, --namespace, and --service-account.\n" +
	"The bundle is a registry+v1 folder, a file-based catalog with one bundle, a Helm chart, a kustomization, or a folder\n" +
	"of manifests. The required permissions are those that operator-controller requires; they are checked as the API server\n" +
	"checks them, including groups."

const preflightExitCodes = `
EXIT CODES:
   0  nothing is missing; with --format yaml also if the printed manifests grant all that is missing
   1  something is missing, as far as known; with --errors also if the text reports permissions as missing that the repository grants, an account that does not exist, or a refused spec.serviceAccount; with --from also if it is not known whether changes of definitions block the upgrade
   2  usage error, unreadable input, internal error, a bundle that the release does not install, or an upgrade that it blocks
`

func (c *command) preflightCommand() *cli.Command {
	return &cli.Command{
		Name:        "preflight",
		Usage:       "list the permissions that installing a bundle needs and the repository does not grant",
		ArgsUsage:   "[PATH…]",
		Description: preflightDescription,
		Flags:       preflightFlags(),
		CustomHelpTemplate: commandhelp.With(preflightExitCodes,
			"salint preflight --bundle bundles/argocd-operator --format yaml > argocd-preflight-rbac.yaml",
			"kubectl get clusterextension argocd -o yaml | salint preflight --extension argocd --errors -"),
		Action: c.preflight,
	}
}

func preflightFlags() []cli.Flag {
	own := append([]cli.Flag{
		&cli.StringFlag{Name: "bundle", Usage: "`DIR` of the bundle to install (default: the extension's under bundles: in .salint.yaml)"},
		&cli.StringFlag{Name: "from", Usage: "`DIR` of the installed version; an upgrade needs the permissions of both"},
		&cli.StringFlag{Name: "errors", Usage: "`FILE` with the error text of a failed installation, instead of a bundle (- is standard input)"},
		&cli.StringFlag{Name: "granted", Usage: "`FILE` with what the installer holds, instead of the repository: kubectl auth can-i --list, or a SelfSubjectRulesReview (- is standard input)"},
		&cli.StringFlag{Name: "extension", Usage: "`NAME` of the extension (default: the only one)"},
		&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Usage: "`NAMESPACE` to install into (default: the extension's)"},
		&cli.StringSliceFlag{Name: "watch-namespace", Usage: "`NAMESPACE` that the operator watches (repeatable; default: the extension's, or as operator-controller decides)"},
		&cli.StringFlag{Name: "certificates", Value: "auto", Usage: "`ISSUER` of webhook certificates: cert-manager, service-ca (OpenShift), or auto, inferred from the target"},
		&cli.StringFlag{Name: "package", Usage: "`NAME` of the package, for a bundle without metadata/annotations.yaml"},
		&cli.StringSliceFlag{Name: "values", Usage: "`FILE` of values for a chart (repeatable; default: the first set under helm: in .salint.yaml)"},
		&cli.StringFlag{Name: "service-account", Usage: "`NAME` of the installing account (default: the identity that OLM uses)"},
		&cli.StringFlag{Name: "as", Usage: "installing `USER`, such as olm:clusterextension:NAME"},
		&cli.StringSliceFlag{Name: "as-group", Usage: "`GROUP` of the installing user (repeatable)"},
		&cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a model (required, synthetic, ignored, removed), or a release `NAME` such as olm-1.10 or ocp-4.20"},
		&cli.StringFlag{Name: "runtime", Value: "auto", Usage: "`RUNTIME` of operator-controller: auto, helm, boxcutter"},
		&cli.StringFlag{Name: "escalation", Value: string(preflight.Hold), Usage: "`HOW` the installer can create the bundle's roles: hold (hold every rule), verbs (escalate and bind)"},
		&cli.StringFlag{Name: "collection-verbs", Value: "auto", Usage: "comma-separated `VERBS` required cluster-wide on every type, none, or auto (list,watch for the Helm runtime and in v1.8)"},
		&cli.StringFlag{Name: "finalizers", Value: "auto", Usage: "`RESOURCE[/NAME]` whose finalizers are updated, none if owner references are not enforced, or auto (the extension or revision, by release)"},
		flags.APIVersions(),
		&cli.BoolFlag{Name: "all", Usage: "list all permissions that the installer needs, not only the missing ones", DisableDefaultText: true},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "print complete lists instead of about a dozen lines each", DisableDefaultText: true},
	}, catalogFlags()...)
	return append(own, flags.Scene(answer.Formats())...)
}

func (c *command) preflight(ctx *cli.Context) error {
	if err := preflightargs.Check(ctx); err != nil {
		return err
	}
	if ctx.IsSet("catalog") {
		return c.preflightCatalog(ctx)
	}
	options, err := c.preflightOptions(ctx)
	if err != nil {
		return err
	}
	w, err := c.openWorkspace(ctx, ctx.Args().Slice())
	if err != nil {
		return err
	}
	answers, err := assess.Answers(ctx.Context, w, options)
	if err != nil {
		return err
	}
	for i := range answers {
		answers[i].Becomes = escalation.OfGrant(answers[i].Grants())
	}
	missing := slices.ContainsFunc(answers, answer.Answer.Missing)
	if missing && !(ctx.String("format") == "yaml" && answer.AllGranted(answers)) {
		c.exit = exitFindings
	}
	if slices.ContainsFunc(answers, func(a answer.Answer) bool { return a.Definitions.NotCompared }) {
		c.exit = exitFindings
	}
	if err := answer.WriteAll(c.Stdout, ctx.String("format"), answers); err != nil {
		return err
	}
	if err := answers[0].Blocked(); err != nil {
		return err
	}
	if !missing {
		return answers[0].CheckRead()
	}
	var bindings []rbac.Binding
	for _, a := range answers {
		bindings = append(bindings, a.Bindings...)
	}
	return malformed(access.MalformedRoles(bindings), w.Rel) // missing permissions could be granted by them
}

// malformed returns errors for invalid roles.
func malformed(doubts []access.Doubt, rel func(string) string) error {
	var all []error
	for _, d := range doubts {
		all = append(all, fmt.Errorf("%s:%d:%d: %s", rel(d.Position.File), d.Position.Line, d.Position.Column, d.Message))
	}
	return errors.Join(all...)
}

// preflightOptions returns what the flags ask.
func (c *command) preflightOptions(ctx *cli.Context) (assess.Options, error) {
	o := assess.Options{
		Bundle: ctx.String("bundle"), From: ctx.String("from"), Errors: ctx.String("errors"), Granted: ctx.String("granted"), Stdin: c.Stdin,
		Extension: ctx.String("extension"), Namespace: ctx.String("namespace"), WatchNamespaces: ctx.StringSlice("watch-namespace"),
		ServiceAccount: ctx.String("service-account"), Certificates: ctx.String("certificates"), Runtime: ctx.String("runtime"),
		Package: ctx.String("package"), Values: ctx.StringSlice("values"), Escalation: preflight.Escalation(ctx.String("escalation")),
		CollectionVerbs: ctx.String("collection-verbs"), Finalizers: ctx.String("finalizers"),
		All: ctx.Bool("all"), Verbose: ctx.Bool("verbose"), Command: preflightargs.CommandLine(ctx),
	}
	if ctx.String("as") == "" && len(ctx.StringSlice("as-group")) == 0 {
		return o, nil
	}
	who, err := access.Identity(ctx.String("as"), ctx.StringSlice("as-group"))
	o.Identity = &who
	return o, err
}
