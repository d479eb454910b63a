package identity

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// GrantFinalizers allows the identity of an extension to update the finalizers of the resource that the runtime keeps for it.
// The fix is unsafe, because the grant is new.
func GrantFinalizers(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return planVariants(c, r, planFinalizers)
}

// planFinalizers is GrantFinalizers for the units that apply an extension alike.
func planFinalizers(c *engine.Context, v *Variant) (*engine.Plan, error) {
	if err := v.checkNameKnown(); err != nil {
		return nil, err
	}
	if err := checkUniqueInFolder(c, v); err != nil {
		return nil, err
	}
	if err := CheckAccountSetters(c, v.Object); err != nil {
		return nil, err
	}
	resource, err := finalizersResource(c, v)
	if err != nil {
		return nil, err
	}
	subject, err := actingIdentity(c, v)
	if err != nil {
		return nil, err
	}
	role := newObject(v, rbacVersion, "ClusterRole", "", olm.BindingName(v.Name, "finalizers"))
	role.Rules = []generate.Rule{finalizersRule(resource, v.Name)}
	grant := rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: v.appliedName(role.Metadata.Name)}}
	if heldEverywhere(c, v, subject, grant) {
		return nil, engine.Refuse("%s already holds %s", engine.SubjectName(subject), engine.GrantName(grant))
	}
	binding := NewBinding(v, grant, subject)
	binding.Metadata.Name, binding.RoleRef.Name = role.Metadata.Name, role.Metadata.Name
	p := &engine.Plan{Description: "Grant " + engine.SubjectName(subject) + " the verb update on " + resource + "/finalizers"}
	DeclareGains(p, v, subject, grant)
	return p, addGenerated(c, p, v, []Generated{role, binding}, finalizerFile)
}

// extensionsResource is the API resource of extensions.
const extensionsResource = "clusterextensions"

// finalizersRule is restricted to the extension if the finalizers are its own. The resources of Boxcutter have generated
// names.
func finalizersRule(resource, extension string) generate.Rule {
	rule := generate.Rule{APIGroups: []string{olm.APIGroup}, Resources: []string{resource + "/finalizers"}, Verbs: []string{"update"}}
	if resource == extensionsResource {
		rule.ResourceNames = []string{extension}
	}
	return rule
}

// heldEverywhere reports whether an identity has a grant in all units in which identities count.
func heldEverywhere(c *engine.Context, v *Variant, s rbac.Subject, g rbac.Grant) bool {
	return !slices.ContainsFunc(UnitsUsingIdentity(c, v), func(u *objects.Unit) bool { return !GrantsOf(u, v, s).CertainOnly().Has(g) })
}

// finalizersResource returns the resource whose finalizers the runtimes of all units need in which identities count.
func finalizersResource(c *engine.Context, v *Variant) (string, error) {
	resource := ""
	for _, unit := range UnitsUsingIdentity(c, v) {
		runtime, ok := olm.RuntimeOf(c.Lookups.Target(unit, v.objectIn(unit)), resolveSignals(unit, v.objectIn(unit)).Gates)
		if !ok || runtime.Finalizers == "" || resource != "" && resource != runtime.Finalizers {
			return "", engine.Refuse("the finalizers that the runtime of %s needs are unknown: set the release with "+
				"--target, or grant the permission by hand", unit)
		}
		resource = runtime.Finalizers
	}
	if resource == "" {
		return "", engine.Refuse("OLM acts as its own account for this extension, which needs no permissions")
	}
	return resource, nil
}

// actingIdentity returns the identity as which OLM acts for the extension.
func actingIdentity(c *engine.Context, v *Variant) (rbac.Subject, error) {
	switch {
	case v.Account.State == olm.Named && v.Account.Name != olm.Placeholder:
		if v.Namespace == "" || rbac.Templated(v.Namespace) {
			return rbac.Subject{}, engine.Refuse("the namespace of the account is unknown: set it")
		}
		return v.AccountSubject(), nil
	case v.Account.State == olm.Templated, v.Account.State == olm.Malformed:
		return rbac.Subject{}, engine.Refuse("the account of the extension is unknown: bind the role by hand")
	}
	return v.UserSubject(), nil
}
