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
func planFinalizers(c *engine.Context, e *Variant) (*engine.Plan, error) {
	if err := e.checkNameKnown(); err != nil {
		return nil, err
	}
	if err := checkUniqueInFolder(c, e); err != nil {
		return nil, err
	}
	resource, err := finalizersResource(c, e)
	if err != nil {
		return nil, err
	}
	subject, err := actingIdentity(c, e)
	if err != nil {
		return nil, err
	}
	role := newObject(e, rbacVersion, "ClusterRole", "", olm.BindingName(e.Name, "finalizers"))
	role.Rules = []generate.Rule{finalizersRule(resource, e.Name)}
	grant := rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: e.appliedName(role.Metadata.Name)}}
	if heldEverywhere(c, e, subject, grant) {
		return nil, engine.Refuse("%s already holds %s", engine.SubjectName(subject), engine.GrantName(grant))
	}
	binding := NewBinding(e, grant, subject)
	binding.Metadata.Name, binding.RoleRef.Name = role.Metadata.Name, role.Metadata.Name
	p := &engine.Plan{Description: "Grant " + engine.SubjectName(subject) + " the verb update on " + resource + "/finalizers"}
	DeclareGains(p, e, subject, grant)
	return p, addGenerated(c, p, e, []Generated{role, binding}, finalizerFile)
}

// extensionsResource is the API resource of extensions.
const extensionsResource = "clusterextensions"

// finalizersRule is restricted to the extension if the finalizers are its own. The resources of Boxcutter have generated
// names.
func finalizersRule(resource, extension string) generate.Rule {
	rule := generate.Rule{APIGroups: []string{engine.ExtensionGroup}, Resources: []string{resource + "/finalizers"}, Verbs: []string{"update"}}
	if resource == extensionsResource {
		rule.ResourceNames = []string{extension}
	}
	return rule
}

// heldEverywhere reports whether an identity has a grant in all units in which identities count.
func heldEverywhere(c *engine.Context, e *Variant, s rbac.Subject, g rbac.Grant) bool {
	return !slices.ContainsFunc(UnitsUsingIdentity(c, e), func(u *objects.Unit) bool { return !GrantsOf(u, e, s).CertainOnly().Has(g) })
}

// finalizersResource returns the resource whose finalizers the runtimes of all units need in which identities count.
func finalizersResource(c *engine.Context, e *Variant) (string, error) {
	resource := ""
	for _, unit := range UnitsUsingIdentity(c, e) {
		runtime, ok := olm.RuntimeOf(c.Lookups.Target(unit, e.objectIn(unit)), resolveSignals(unit, e.objectIn(unit)).Gates)
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
func actingIdentity(c *engine.Context, e *Variant) (rbac.Subject, error) {
	switch {
	case e.Account.State == olm.Named && e.Account.Name != olm.Placeholder:
		if e.Namespace == "" || rbac.Templated(e.Namespace) {
			return rbac.Subject{}, engine.Refuse("the namespace of the account is unknown: set it")
		}
		return e.AccountSubject(), nil
	case e.Account.State == olm.Templated, e.Account.State == olm.Malformed:
		return rbac.Subject{}, engine.Refuse("the account of the extension is unknown: bind the role by hand")
	}
	return e.UserSubject(), nil
}
