package main

import (
	"fmt"
	"maps"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/bundlediff"
	"github.com/salint/salint/internal/needs/bundlediff/answer"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render/content"
)

const bundleDiffDescription = "OLD and NEW are two versions of what an extension installs: registry+v1 folders, file-based catalogs with one bundle,\n" +
	"Helm charts, kustomizations, or folders of manifests. They are compared by effect: what a wildcard of the old version\n" +
	"covers is not reported as new. The most dangerous changes come first. On releases of OLM that ignore an extension's\n" +
	"service account, nothing on the cluster stops a version that needs more permissions, so review them here."

const bundleDiffExitCodes = `
EXIT CODES:
   0  the new version needs no additional permissions
   1  it needs additional permissions, or not everything could be compared
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
			&cli.StringSliceFlag{Name: "watch-namespace", Usage: "`NAMESPACE` that the operator watches (repeatable; default: as operator-controller decides)"},
			&cli.StringFlag{Name: "package", Usage: "`NAME` of the package, for bundles without metadata/annotations.yaml"},
			&cli.StringSliceFlag{Name: "values", Usage: "`FILE` of values for charts (repeatable; default: the first set under helm: in .salint.yaml)"},
			releaseFlag("determines the default roles, and what an installer lists and watches"),
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
		return fmt.Errorf("expected 2 folders, the old and the new version, but got %d; see salint bundle-diff --help", ctx.NArg())
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
	if a.Diff.Grows() || len(a.Diff.NotCompared) > 0 {
		c.exit = exitFindings
	}
	return a.Write(c.Stdout, ctx.String("format"))
}

// differ reads contents as a preflight does, for an extension that only has namespaces.
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
	a.Diff, err = bundlediff.Compare(in.Old, in.Objects, bundlediff.Options{
		Namespace: a.Namespace, Resources: in.Resources, CollectionVerbs: collectionVerbsFor(d.scene.requested.Common()),
		Kubernetes: versionsOf(d.scene.requested.Common()),
		Note:       func(text string) { a.Notes = withNote(a.Notes, text) },
	})
	return a, err
}

// versionsOf returns the versions of Kubernetes that a target can run; nil is no target.
func versionsOf(target *olm.Target) kubeversion.Range {
	if target == nil {
		return kubeversion.Range{}
	}
	return target.Kubernetes
}

// collectionVerbsFor returns the verbs that an installer needs on every type: those of most releases if the configuration does
// not name one.
func collectionVerbsFor(target *olm.Target) []string {
	if target != nil {
		if runtime, known := olm.RuntimeOf(*target, nil); known {
			return preflight.CollectionVerbs(runtime)
		}
	}
	return []string{"list", "watch"}
}

// newNames returns a note that an installer whose permissions are limited to names needs additional ones. The comparison
// ignores the names of roles, because OLM creates most of them again with every version.
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
	return []string{fmt.Sprintf("%s a name that the old version does not have: an installer whose permissions are limited to names needs more than this "+
		"comparison shows; run salint preflight --bundle %s --from %s to list it", what, shellQuote(a.New.Path), shellQuote(a.Old.Path))}
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
