package main

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/render/content"
)

// bundleNotes say what was assumed about a bundle.
func (p *preflighter) bundleNotes(c *content.Content) []string {
	var notes []string
	if p.ctx.String("certificates") == "auto" && isBundle(c) && slices.ContainsFunc(c.Objects, isCertificate) {
		notes = append(notes, "the certificates of its webhooks are taken to be made by cert-manager, as anywhere but on OpenShift: "+
			"--certificates service-ca takes its service CA")
	}
	return notes
}

// nameNote says that permissions for roles by their names do not last.
func nameNote(c *content.Content, wanted []preflight.Scoped) []string {
	if !hasGeneratedNames(c) || !slices.ContainsFunc(wanted, namesRoles) {
		return nil
	}
	return []string{"OLM names the roles of a bundle after its name and a hash of their rules: a version that changes either needs the " +
		"permissions for other names; --bundle NEW --from OLD tells them"}
}

func namesRoles(s preflight.Scoped) bool {
	return slices.ContainsFunc(s.Rules, func(r rbacv1.PolicyRule) bool {
		return slices.Contains(r.APIGroups, rbac.Group) && len(r.ResourceNames) > 0
	})
}

func isBundle(c *content.Content) bool { return c.Kind == content.Bundle || c.Kind == content.Catalog }

func isCertificate(o rendered.Object) bool { return o.Group() == "cert-manager.io" }

// hasGeneratedNames tells whether OLM made names for roles and bindings of the name of a bundle.
func hasGeneratedNames(c *content.Content) bool {
	const atLeast = 18 // of 63 characters, which the dash and the hash take up to 45 of
	prefix := c.Name[:min(len(c.Name), atLeast)]
	return isBundle(c) && prefix != "" && slices.ContainsFunc(c.Objects, func(o rendered.Object) bool {
		return o.Group() == rbac.Group && strings.HasPrefix(o.Name(), prefix)
	})
}

// otherPackage warns of two bundles that are no versions of one operator.
func otherPackage(old, fresh *content.Content) []string {
	if old.Package == "" || fresh.Package == "" || old.Package == fresh.Package {
		return nil
	}
	return []string{fmt.Sprintf("the old bundle is of the package %s and the new one of %s: these are no two versions of one operator", old.Package, fresh.Package)}
}

// revisionNote says that the name of the owner changes with every revision of what is installed.
func (p *preflighter) revisionNote(f preflight.Finalizers) []string {
	if p.ctx.String("finalizers") != "auto" || f.Resource == "" || f.Resource == "clusterextensions" {
		return nil
	}
	return []string{fmt.Sprintf("every revision of an installation has a name of its own, as %s has: the next one needs the permission for "+
		"its own name; --finalizers %s asks for it whatever the name, --finalizers %s/NAME for another", f.Name, f.Resource, f.Resource)}
}

// elsewhere says that the identity is granted something in other deployment units, which are applied by themselves, if at
// all to the same cluster.
func (p *preflighter) elsewhere(a *answer.Answer) []string {
	if !a.Missing() {
		return nil
	}
	var units []string
	for _, unit := range p.world.Units {
		if unit != a.Unit && len(rbac.BindingsFor(unit, nil, a.Identity)) > 0 {
			units = append(units, p.unitName(unit))
		}
	}
	if len(units) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the identity is bound in %s as well, which is applied by itself, perhaps to another cluster, and was not counted",
		strings.Join(units, ", "))}
}

// unitName calls a deployment unit by what applies it.
func (p *preflighter) unitName(u *objects.Unit) string {
	root := p.scene.rel(u.Root)
	switch {
	case u.Kind == objects.KustomizationUnit && root == ".":
		return "the kustomization of this folder"
	case u.Kind == objects.KustomizationUnit:
		return "the kustomization " + root
	case u.Kind != objects.PlainUnit:
		return u.String()
	}
	return "the manifests that no kustomization applies"
}
