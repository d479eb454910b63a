package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/needs/bundlediff/answer"
	"github.com/salint/salint/internal/needs/bundlediff/assess"
	"github.com/salint/salint/internal/needs/contents"
)

const bundleDiffDescription = "OLD and NEW are two versions of what an extension installs: registry+v1 folders, file-based catalogs with one bundle,\n" +
	"Helm charts, kustomizations, or folders of manifests. They are compared by effect: what a wildcard of the old version\n" +
	"covers is not reported as new. The most dangerous changes come first. On releases of OLM that ignore an extension's\n" +
	"service account, nothing on the cluster stops a version that needs more permissions, so review them here."

const bundleDiffExitCodes = `
EXIT CODES:
   0  the new version needs no additional permissions
   1  it needs additional permissions, the release blocks the upgrade because of a definition, or does not install the new version, the extension must change the namespace to watch, or not everything could be compared
   2  usage error, unreadable input, or internal error
`

// bundleDiffFormats are the formats of bundle-diff.
var bundleDiffFormats = answer.Formats()

// installNamespace is the namespace if none is given. It is the same for both versions, which is all that matters.
const installNamespace = "install-namespace"

func (c *command) bundleDiffCommand() *cli.Command {
	return &cli.Command{
		Name:        "bundle-diff",
		Usage:       "show which additional permissions a new version of an operator needs",
		ArgsUsage:   "OLD NEW",
		Description: bundleDiffDescription,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Value: installNamespace, Usage: "`NAMESPACE` to install into"},
			&cli.StringSliceFlag{Name: "watch-namespace", Usage: "`NAMESPACE` that the operator watches (repeatable; default: all, or the namespace to install into; a version that cannot watch it is compared in its own mode)"},
			&cli.StringFlag{Name: "package", Usage: "`NAME` of the package, for bundles without metadata/annotations.yaml"},
			&cli.StringSliceFlag{Name: "values", Usage: "`FILE` of values for charts (repeatable; default: the first set under helm: in .salint.yaml)"},
			flags.Release("determines the default roles, and what an installer lists and watches"),
		}, flags.Scene(bundleDiffFormats)...),
		CustomHelpTemplate: commandhelp.With(bundleDiffExitCodes,
			"salint bundle-diff bundles/argocd-operator-0.6.0 bundles/argocd-operator-0.7.0",
			"salint bundle-diff old new --format markdown > comment.md"),
		Action: c.bundleDiff,
	}
}

func (c *command) bundleDiff(ctx *cli.Context) error {
	if err := answer.CheckFormat(ctx.String("format")); err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	if ctx.NArg() != 2 {
		return fmt.Errorf("expected 2 folders, the old and the new version, but got %d; see salint bundle-diff --help", ctx.NArg())
	}
	w, err := c.openWorkspace(ctx, nil)
	if err != nil {
		return err
	}
	reader := &contents.Reader{Workspace: w, Package: ctx.String("package"), Values: ctx.StringSlice("values"), Folders: ctx.Args().Slice(), Anyway: true}
	a, err := assess.Compare(ctx.Context, reader, assess.Options{
		Old: ctx.Args().Get(0), New: ctx.Args().Get(1), Namespace: ctx.String("namespace"), WatchNamespaces: ctx.StringSlice("watch-namespace"),
	})
	if err != nil {
		return err
	}
	a.NamespaceUnknown = !ctx.IsSet("namespace")
	if !a.Fine() {
		c.exit = exitFindings
	}
	return a.Write(c.Stdout, ctx.String("format"))
}
