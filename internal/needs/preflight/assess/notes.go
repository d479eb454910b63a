package assess

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render/content"
)

// withNote adds a note, unless it was added before: two versions of a bundle share most of their objects.
func withNote(notes []string, text string) []string {
	if slices.Contains(notes, text) {
		return notes
	}
	return append(notes, text)
}

// bundleNotes returns notes about assumptions about a bundle.
func (p *assessment) bundleNotes(c *content.Content) []string {
	var notes []string
	if p.options.Certificates == "auto" && isBundle(c) && slices.ContainsFunc(c.Objects, isCertificate) {
		notes = append(notes, "assuming that cert-manager issues the certificates of its webhooks, as outside OpenShift: "+
			"use --certificates service-ca for OpenShift's service CA")
	}
	return notes
}

// gateNote returns a note if operator-controller installs the content only with a feature gate that the repository does not
// enable. OpenShift has other gates, and installs no charts.
func gateNote(i *installer.Installer, c *content.Content) []string {
	gate, what, needs := "", "", ""
	switch {
	case c.Kind == content.Chart:
		gate, what, needs = olm.ChartGate, "a chart", "the feature gate %s, which is off by default"
	case isBundle(c) && len(i.WatchNamespaces) > 0:
		gate, what = olm.WatchGate, "an operator that watches one namespace"
		needs = "the experimental manifests of OLM: the standard ones have no spec.config, and turn off the feature gate %s"
	}
	target := i.Resolved.Target
	switch {
	case gate == olm.WatchGate && target.OpenShift():
		if target.TechPreview() || olm.WatchesOneNamespace(i.Resolved.Signals) {
			return nil
		}
		return []string{fmt.Sprintf("%s needs the feature gate %s of OpenShift, which only the feature sets TechPreviewNoUpgrade and DevPreviewNoUpgrade have",
			what, olm.WatchGateOfOpenShift())}
	case gate == "" || olm.Enabled(target, olm.Resolve(i.Resolved.Signals).Gates, gate) || strings.HasPrefix(target.Name, "ocp-"):
		return nil
	case len(olm.UnknownGates(target, map[string]bool{gate: true})) > 0:
		return []string{fmt.Sprintf("%s does not install %s: it does not have the feature gate %s", target.Name, what, gate)}
	}
	return []string{what + " needs " + fmt.Sprintf(needs, gate)}
}

// sharedNote returns a note if another extension has the same account, so that its permissions count for this one as well.
func (p *assessment) sharedNote(i *installer.Installer) []string {
	if i.From == nil || p.options.All {
		return nil
	}
	var others []string
	for _, e := range p.world.ExtensionsIn(i.Unit) {
		account := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: e.Namespace, Name: e.Account.Name}
		if e.Name != i.Extension && e.Account.State == olm.Named && account.Identity().User == i.Identity.User {
			others = append(others, e.Name)
		}
	}
	slices.Sort(others)
	others = slices.Compact(others)
	const shown = 3
	if more := len(others) - shown; more > 0 {
		others = append(others[:shown], fmt.Sprintf("%d more extensions", more))
	}
	if len(others) == 0 {
		return nil
	}
	return []string{safetext.Text(fmt.Sprintf("the account also installs %s. Permissions that it has for that are left out: use --all for a list "+
		"that does not depend on them", strings.Join(others, ", ")))}
}

// nameNote returns a note if permissions are for roles whose names change with the next version.
func nameNote(c *content.Content, wanted []preflight.Scoped) []string {
	if !hasGeneratedNames(c) || !slices.ContainsFunc(wanted, namesRoles) {
		return nil
	}
	return []string{"OLM names the roles of a bundle after its name and a hash of their rules. A version that changes either needs the " +
		"permissions for other names; list them with --bundle NEW --from OLD"}
}

func namesRoles(s preflight.Scoped) bool {
	return slices.ContainsFunc(s.Rules, func(r rbacv1.PolicyRule) bool {
		return slices.Contains(r.APIGroups, rbac.Group) && len(r.ResourceNames) > 0
	})
}

func isBundle(c *content.Content) bool { return c.Kind == content.Bundle || c.Kind == content.Catalog }

func isCertificate(o rendered.Object) bool { return o.Group() == "cert-manager.io" }

// hasGeneratedNames returns whether OLM generates names of roles and bindings from the name of a bundle.
func hasGeneratedNames(c *content.Content) bool {
	const atLeast = 18 // of 63 characters, of which the dash and the hash take up to 45
	prefix := c.Name[:min(len(c.Name), atLeast)]
	return isBundle(c) && prefix != "" && slices.ContainsFunc(c.Objects, func(o rendered.Object) bool {
		return o.Group() == rbac.Group && strings.HasPrefix(o.Name(), prefix)
	})
}

// packageNote returns a warning if the bundle is of a package that the extension does not request.
func packageNote(i *installer.Installer, c *content.Content, dir string) []string {
	if i.From == nil || !isBundle(c) || c.Package == "" {
		return nil
	}
	extension, ok := olm.ReadExtension(i.From.Node)
	if !ok || extension.Package == "" || extension.Package == c.Package || rbac.Templated(extension.Package) {
		return nil
	}
	return []string{fmt.Sprintf("the bundle in %s has the package %s, but the extension %s requests %s, so the answer is not about what OLM installs for it: "+
		"check --bundle and --extension", dir, c.Package, i.Extension, extension.Package)}
}

// revisionNote returns a note that the name of the owner changes with every revision.
func (p *assessment) revisionNote(f preflight.Finalizers) []string {
	if p.options.Finalizers != "auto" || f.Resource == "" || f.Resource == "clusterextensions" {
		return nil
	}
	return []string{fmt.Sprintf("every revision of an installation has a separate name, such as %s, so the next one needs the permission for "+
		"a different name: use --finalizers %s for all names, or --finalizers %s/NAME for another one", f.Name, f.Resource, f.Resource)}
}

// elsewhere returns a note if the identity has bindings in other deployment units, which may be applied to another cluster.
func (p *assessment) elsewhere(a *answer.Answer) []string {
	if !a.Missing() {
		return nil
	}
	var units []string
	counted := []*objects.Unit{a.Unit}
	if scope := p.scope(a.Unit); scope != nil {
		counted = append(counted, scope.Parts()...)
	}
	for _, unit := range p.world.Units {
		if !slices.Contains(counted, unit) && len(rbac.BindingsFor(unit, nil, a.Identity)) > 0 {
			units = append(units, p.unitName(unit))
		}
	}
	if len(units) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the identity also has bindings in %s, which were not counted because it is applied separately, perhaps to another cluster",
		strings.Join(units, ", "))}
}

// unitName returns the name of a deployment unit.
func (p *assessment) unitName(u *objects.Unit) string {
	root := p.at.Rel(u.Root)
	switch {
	case u.Kind == objects.KustomizationUnit && root == ".":
		return "the kustomization of this folder"
	case u.Kind == objects.KustomizationUnit:
		return "the kustomization " + root
	case u.Kind != objects.PlainUnit:
		return u.String()
	}
	return "the plain files"
}
