package assess

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/needs/bundles"
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
func (p *assessment) bundleNotes(i *installer.Installer, c *content.Content) []string {
	var notes []string
	if p.options.Certificates == "auto" && isBundle(c) && slices.ContainsFunc(c.Objects, isCertificate) {
		notes = append(notes, "assuming that cert-manager issues the certificates of its webhooks, as outside OpenShift: "+
			"use --certificates service-ca for OpenShift's service CA")
	}
	if target := i.Resolved.Target; p.options.Certificates == "auto" && !target.OpenShift() && i.ServiceCA() && isBundle(c) && slices.ContainsFunc(c.Objects, hasServingCertificate) {
		notes = append(notes, fmt.Sprintf("the feature gates select OpenShift's service CA for the certificates of its webhooks, which clusters of %s do not have: "+
			"turn on the feature gate %s", target.Name, olm.CertManagerGate))
	}
	return notes
}

// gateNotes returns notes about what operator-controller installs only with a feature gate that the repository does not enable.
func gateNotes(i *installer.Installer, c *content.Content) []string {
	if c.Kind == content.Chart {
		return chartNote(i)
	}
	release := i.Support()
	if !release.Known() && isBundle(c) && len(i.WatchNamespaces) > 0 && !i.Resolved.Target.OpenShift() {
		return []string{"an operator that watches one namespace needs the feature gate " + olm.WatchGate + " and a ClusterExtension with spec.config, or the annotation " +
			bundlesupport.WatchAnnotation + " in v1.2 to v1.5: the standard manifests of most releases have neither"}
	}
	var notes []string
	for _, o := range c.Obstacles {
		if o.Installs {
			notes = append(notes, fmt.Sprintf("%s installs this bundle, but %s. To change that, %s", release, o.Reason, o.Remedy))
			continue
		}
		notes = append(notes, fmt.Sprintf("%s does not install this bundle unless the feature gate %s is on: %s. To install it, %s", release, o.Gate, o.Reason, o.Remedy))
	}
	return notes
}

// chartNote returns a note about the gate for charts.
func chartNote(i *installer.Installer) []string {
	target := i.Resolved.Target
	switch {
	case target.OpenShift() || olm.Enabled(target, olm.Resolve(i.Resolved.Signals).Gates, olm.ChartGate):
		return nil
	case len(olm.UnknownGates(target, map[string]bool{olm.ChartGate: true})) > 0:
		return []string{fmt.Sprintf("%s does not install a chart: it does not have the feature gate %s", target.Name, olm.ChartGate)}
	}
	return []string{fmt.Sprintf("a chart needs the feature gate %s, which is off by default", olm.ChartGate)}
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

// hasServingCertificate reports whether OpenShift's service CA issues a certificate for a Service.
func hasServingCertificate(o rendered.Object) bool {
	metadata, _ := o.JSON["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	_, has := annotations["service.beta.openshift.io/serving-cert-secret-name"]
	return has
}

func isCertificate(o rendered.Object) bool { return o.Group() == "cert-manager.io" }

// hasGeneratedNames returns whether OLM generates names of roles and bindings from the name of a bundle.
func hasGeneratedNames(c *content.Content) bool {
	const atLeast = 18 // of 63 characters, of which the dash and the hash take up to 45
	prefix := c.Name[:min(len(c.Name), atLeast)]
	return isBundle(c) && prefix != "" && slices.ContainsFunc(c.Objects, func(o rendered.Object) bool {
		return o.Group() == rbac.Group && strings.HasPrefix(o.Name(), prefix)
	})
}

// contentNotes returns notes about whether the extension requests the content, and its release installs it.
func (p *assessment) contentNotes(i *installer.Installer, c *content.Content, dir string) []string {
	var notes []string
	if i.From != nil && isBundle(c) {
		extension, _ := olm.ReadExtension(i.From.Node)
		if problem := extension.VersionProblem; problem != "" {
			notes = append(notes, fmt.Sprintf("spec.source.catalog.version of the extension is %q: %s", extension.Version, problem))
		}
		upgrades := p.options.From != "" // the extension still requests the old version
		if wanted := bundles.Requested(extension, c); wanted.Other() && !(upgrades && wanted.What == "version") {
			notes = append(notes, fmt.Sprintf("the bundle in %s has the %s %s, but the extension %s requests %s, so the answer is not about what OLM installs for it: "+
				"check --bundle and --extension", dir, wanted.What, wanted.Bundle, i.Extension, wanted.Extension))
		}
	}
	return append(notes, gateNotes(i, c)...)
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
