package main

import (
	"fmt"
	"maps"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/bundlediff"
	"github.com/salint/salint/internal/needs/bundlediff/answer"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render/content"
)

const bundleDiffDescription = "OLD and NEW are two versions of what an extension installs: registry+v1 folders, file-based catalogs with one\n" +
	"bundle, Helm charts, kustomizations or folders of manifests. They are compared by effect: what a wildcard of the\n" +
	"old version covers is nothing new. Dangerous things come first. Where releases of OLM ignore the service account of\n" +
	"an extension, nothing on the cluster stops a version that asks for more: this is where it can be seen."

const bundleDiffExitCodes = `
EXIT CODES:
   0  the new version asks for nothing more
   1  it asks for more
   2  wrong usage, unreadable input, or a fault
`

// bundleDiffFormats are the formats that the command writes.
var bundleDiffFormats = answer.Formats()

// installNamespace stands for the namespace that nobody has named. It is the same in both versions, which is all that counts.
const installNamespace = "install-namespace"

func (c *command) bundleDiffCommand() *cli.Command {
	return &cli.Command{
		Name:        "bundle-diff",
		Usage:       "show what a new version of an operator asks for and the old one did not",
		ArgsUsage:   "OLD NEW",
		Description: bundleDiffDescription,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Value: installNamespace, Usage: "`NAMESPACE` to install into"},
			&cli.StringSliceFlag{Name: "watch-namespace", Usage: "`NAMESPACE` that the operator watches; may be repeated (default: as operator-controller decides)"},
			&cli.StringFlag{Name: "package", Usage: "`NAME` of the package, for bundles without metadata/annotations.yaml"},
			&cli.StringSliceFlag{Name: "values", Usage: "`FILE` of values for charts; may be repeated (default: the first set under helm: in .salint.yaml)"},
		}, sceneFlags(bundleDiffFormats)...),
		CustomHelpTemplate: helpWith(bundleDiffExitCodes,
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
		return fmt.Errorf("two folders were expected, the old version and the new one, and not %d; see salint bundle-diff --help", ctx.NArg())
	}
	s, err := c.openScene(ctx, nil)
	if err != nil {
		return err
	}
	d := &differ{preflighter: &preflighter{command: c, ctx: ctx, scene: s}}
	a, err := d.compare(ctx.Args().Get(0), ctx.Args().Get(1))
	if err != nil {
		return err
	}
	if a.Diff.Grows() {
		c.exit = exitFindings
	}
	return a.Write(c.Stdout, ctx.String("format"))
}

// differ reads contents as a preflight does, for an extension of which nothing but the namespaces is known.
type differ struct{ *preflighter }

func (d *differ) compare(old, fresh string) (answer.Answer, error) {
	a := answer.Answer{
		Old: answer.Side{Path: old}, New: answer.Side{Path: fresh},
		Namespace: d.ctx.String("namespace"), NamespaceUnknown: !d.ctx.IsSet("namespace"),
	}
	before, err := d.side(&a, &a.Old)
	if err != nil {
		return a, err
	}
	after, err := d.side(&a, &a.New)
	if err != nil {
		return a, err
	}
	a.Notes = append(a.Notes, otherPackage(before, after)...)
	a.Notes = append(a.Notes, newNames(before, after, a)...)
	in := preflight.Input{Objects: after.Objects, Old: before.Objects}
	in.Resources = preflight.ResourcesOf(&objects.Unit{}, in.Objects, in.Old)
	if err := d.define(&in); err != nil {
		return a, err
	}
	a.Diff, err = bundlediff.Compare(in.Old, in.Objects, bundlediff.Options{Namespace: a.Namespace, Resources: in.Resources})
	return a, err
}

// newNames says that whoever installs the content by names needs the permissions for further ones: the comparison leaves the
// names of roles out, for OLM makes most of them anew with every version.
func newNames(before, after *content.Content, a answer.Answer) []string {
	old, fresh := roleNames(before), roleNames(after)
	maps.DeleteFunc(fresh, func(name string, _ bool) bool { return old[name] })
	if len(fresh) == 0 {
		return nil
	}
	what := "1 role or binding has"
	if len(fresh) > 1 {
		what = fmt.Sprintf("%d roles and bindings have", len(fresh))
	}
	return []string{fmt.Sprintf("%s a name that the old version has not: an installer whose permissions are limited to names needs more than this "+
		"comparison shows; salint preflight --bundle %s --from %s tells what", what, shellQuote(a.New.Path), shellQuote(a.Old.Path))}
}

func roleNames(c *content.Content) map[string]bool {
	names := map[string]bool{}
	for _, o := range c.Objects {
		if o.Group() == rbac.Group {
			names[o.Kind()+"/"+o.Namespace()+"/"+o.Name()] = true
		}
	}
	return names
}

// side reads one of the versions.
func (d *differ) side(a *answer.Answer, side *answer.Side) (*content.Content, error) {
	i := &installer.Installer{Namespace: a.Namespace, WatchNamespaces: d.ctx.StringSlice("watch-namespace")}
	loaded, err := d.load(i, side.Path)
	if err != nil {
		return nil, err
	}
	side.Name, side.Version = loaded.Name, loaded.Version
	for _, note := range loaded.Notes {
		a.Notes = append(a.Notes, side.Path+": "+note)
	}
	return loaded, nil
}
