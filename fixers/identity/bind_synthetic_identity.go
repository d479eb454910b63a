package identity

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// BindSyntheticIdentity grants the synthetic identity of an extension the role that the user names, or what its bundle needs.
// The repository does not show what an extension without an account needs.
func BindSyntheticIdentity(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return planVariants(c, r, planSyntheticBinding)
}

// planSyntheticBinding is BindSyntheticIdentity for the units that apply an extension alike.
func planSyntheticBinding(c *engine.Context, v *Variant) (*engine.Plan, error) {
	if err := v.checkNameKnown(); err != nil {
		return nil, err
	}
	if err := checkUniqueInFolder(c, v); err != nil {
		return nil, err
	}
	if strictestModel(c, v) != olm.Synthetic {
		return nil, engine.Refuse("%s has no target with synthetic identities", v.Units[0])
	}
	if err := CheckSyntheticGate(c, v); err != nil {
		return nil, err
	}
	if err := CheckAccountSetters(c, v.Object); err != nil {
		return nil, err
	}
	from := v.UserSubject()
	if !c.Policy.Grant.Chosen() {
		from = boundInBase(c, v)
	}
	if from.Name == "" {
		return nil, engine.Refuse("the permissions that %s needs are unknown: name a ClusterRole with --grant role=NAME, "+
			"name its bundle with --bundle %s=DIR and --grant least-privilege, or bind its roles by hand", engine.SubjectName(v.UserSubject()), v.Name)
	}
	h, err := migrateIdentity(c, v, from, v.UserSubject())
	if err != nil {
		return nil, err
	}
	if len(h.Missing) == 0 {
		return nil, engine.Refuse("%s already holds %s", engine.SubjectName(v.UserSubject()), c.Policy.Grant.Describe())
	}
	p := &engine.Plan{Description: "Grant " + engine.SubjectName(v.UserSubject()) + " " + engine.GrantNames(h.Missing), Notes: h.notes}
	if from != v.UserSubject() {
		p.Kind = finding.Unsafe
		p.Description += ", as " + engine.SubjectName(from) + " has"
	}
	if len(h.roles) > 0 {
		p.Description = "Grant " + engine.SubjectName(v.UserSubject()) + " " + rolesText(h.roles)
	}
	DeclareGains(p, v, v.UserSubject(), h.Missing...)
	NoteUnknownRole(c, p)
	return p, addGenerated(c, p, v, rolesAndBindings(c, v, h, v.UserSubject()), SyntheticFile)
}

// boundInBase returns the synthetic user that the extension would have under the name in its file, if a kustomization gives it another
// one, and every unit binds that user: no kustomization renames users, so the binding shows what the extension needs. Otherwise it has
// no name.
func boundInBase(c *engine.Context, v *Variant) rbac.Subject {
	written := v.Object.Source().Name
	user := rbac.Subject{Kind: rbac.KindUser, Name: olm.User(written)}
	if written == "" || written == v.Name || rbac.Templated(written) {
		return rbac.Subject{}
	}
	for _, unit := range UnitsUsingIdentity(c, v) {
		if len(GrantsOf(unit, v, user).directOnly().list) == 0 {
			return rbac.Subject{}
		}
	}
	return user
}
