package fixers

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// removeServiceAccount deletes the field from an extension wherever it is set, and where OLM goes on as the synthetic
// identity, first grants that what the account held. Units that require the field keep it.
func removeServiceAccount(c *Context, r Request) (*Plan, error) {
	f, err := appliedVariantsOf(c, r.Object)
	if err != nil {
		return nil, err
	}
	requires := func(v *variant) bool { return strictestModel(c, v) == olm.Required }
	leaving := f.where(func(v *variant) bool { return !requires(v) && v.Account.State != olm.Absent })
	keeping := f.where(requires)
	if len(keeping) > 0 && (len(leaving) == 0 || isEmpty(keeping)) {
		return keepAccount(c, mergeVariants(r.Object, keeping), r)
	}
	if len(leaving) == 0 {
		return nil, refuse("the extension names no account")
	}
	if err := checkReplacementSources(c, leaving); err != nil {
		return nil, err
	}
	scopes := []*variant{mergeVariants(f.object, leaving)}
	if slices.ContainsFunc(leaving, func(v *variant) bool { return strictestModel(c, v) == olm.Synthetic }) {
		if scopes, err = grantTargets(c, f, leaving); err != nil {
			return nil, err
		}
	}
	p := &Plan{Object: r.Object}
	var descriptions []string
	for _, e := range scopes {
		if err := prepareRemoval(c, p, e); err != nil {
			return nil, err
		}
		if !slices.Contains(descriptions, p.Description) {
			descriptions = append(descriptions, p.Description)
		}
	}
	p.Description = shortList(descriptions, "Remove "+scopes[0].Account.Path.String())
	return p, removeField(c, p, f, leaving, keeping)
}

// prepareRemoval prepares the removal of the field in the units of an extension.
func prepareRemoval(c *Context, p *Plan, e *variant) error {
	p.Description = "Remove " + e.Account.Path.String() + ": OLM acts as its own account"
	if strictestModel(c, e) == olm.Synthetic {
		return grantUser(c, p, e)
	}
	return nil
}

// isEmpty tells whether extensions that need an account have a field that names none.
func isEmpty(variants []*variant) bool {
	return slices.ContainsFunc(variants, func(v *variant) bool {
		return v.Account.State == olm.Null || v.Account.State == olm.Empty || v.Account.State == olm.EmptyName
	})
}

// keepAccount answers for an extension whose units require an account of it. An empty field is filled in there.
func keepAccount(c *Context, e *variant, r Request) (*Plan, error) {
	unit := unitWithModel(c, e, olm.Required)
	target := c.Lookups.Target(unit, e.objectIn(unit)).Name
	switch {
	case e.Account.Name == olm.Placeholder:
		return nil, refuse("%s (target %s) requires an account, and its name cannot be changed on a live object: "+
			"the extension would have to be created anew, and deleting it deletes its CRDs and with them every custom resource. "+
			"Keep the field until %s follows another release", unit, target, unit)
	case e.Account.State == olm.Null, e.Account.State == olm.Empty, e.Account.State == olm.EmptyName:
		return addServiceAccount(c, r)
	}
	return nil, refuse("%s (target %s) requires the field, and %s is applied there: "+
		"keep it in the shared file, and remove it by a patch where it is no longer wanted", unit, target, e.object.File)
}

// grantUser prepares the removal of the field where OLM impersonates the synthetic identity without it.
func grantUser(c *Context, p *Plan, e *variant) error {
	h, switches, err := migrateToUser(c, p, e)
	if err != nil || !switches {
		return err
	}
	subject := declareMigration(c, p, e, h)
	noteUnknownRole(c, p)
	return addGenerated(c, p, e, rolesAndBindings(c, e, h, subject), syntheticFile)
}

// migrateToUser works out how the synthetic identity takes over. It does not switch where OLM acted as that before, and the plan
// says so then.
func migrateToUser(c *Context, p *Plan, e *variant) (h identityMigration, switches bool, err error) {
	if err := checkSyntheticGate(c, e); err != nil {
		return h, false, err
	}
	switch e.Account.State {
	case olm.Null, olm.Empty, olm.EmptyName:
		p.Description = "Remove the empty " + e.Account.Path.String()
		return h, false, nil
	case olm.Malformed:
		return h, false, refuse("what stands in %s is no account, so it is not known what the extension could do: correct it first", e.Account.Path)
	}
	if err := e.checkNameKnown(); err != nil {
		return h, false, err
	}
	if e.Account.Name == olm.Placeholder {
		return h, false, dropPlaceholder(c, p, e)
	}
	h, err = migrateFromAccount(c, e)
	return h, true, err
}

// dropPlaceholder removes the name that meant the synthetic identity all along: the same bindings go on holding.
func dropPlaceholder(c *Context, p *Plan, e *variant) error {
	for _, unit := range unitsUsingIdentity(c, e) {
		if len(grantsOf(unit, e, e.userSubject()).certainOnly().list) == 0 {
			return refuse("nothing in %s is bound to %s or %s, so it is not known what the extension can do: "+
				"bind its roles first", unit, subjectName(e.userSubject()), subjectName(groupSubject()))
		}
	}
	p.Description = "Remove " + e.Account.Path.String() + ", which names the synthetic identity: OLM goes on as that"
	return nil
}

// migrateFromAccount hands over from the account to the synthetic user.
func migrateFromAccount(c *Context, e *variant) (identityMigration, error) {
	if err := checkUniqueInFolder(c, e); err != nil {
		return identityMigration{}, err
	}
	if c.Policy.Grant.chosen() {
		return migrateIdentity(c, e, e.accountSubject(), e.userSubject())
	}
	switch {
	case e.Account.State == olm.Templated, rbac.Templated(e.Namespace):
		return identityMigration{}, refuse("%s is only known when names are filled in, so what it holds is not known here: "+
			"say what to grant by --grant role=NAME, or bind it by hand", subjectName(e.accountSubject()))
	case e.Namespace == "":
		return identityMigration{}, refuse("the extension does not say which namespace it is installed in, so %s may be any of that name: "+
			"write the namespace down", subjectName(e.accountSubject()))
	}
	h, err := migrateIdentity(c, e, e.accountSubject(), e.userSubject())
	if err != nil {
		return h, err
	}
	for _, unit := range unitsUsingIdentity(c, e) {
		if len(grantsOf(unit, e, e.accountSubject()).list) == 0 {
			return h, refuse("no binding of %s is applied by %s, so what it holds is not known%s: add its bindings there, "+
				"or say what to grant by --grant role=NAME", subjectName(e.accountSubject()), unit, bindingInOtherUnit(c, e))
		}
	}
	return h, nil
}

// bindingInOtherUnit points at a binding of the account that another unit applies. Nothing says that the units go to the
// same cluster.
func bindingInOtherUnit(c *Context, e *variant) string {
	for _, unit := range c.Repo.Units {
		if slices.Contains(e.units, unit) {
			continue
		}
		for _, b := range rbac.BindingsOf(unit, nil, e.accountSubject()) {
			if b.Via == "" && !b.Uncertain {
				return fmt.Sprintf(" (the one at %s is applied by %s)", b.Object.Position(nil), unit)
			}
		}
	}
	return ""
}

// declareMigration declares what a handover to the synthetic user changes, and says who is granted what is missing.
func declareMigration(c *Context, p *Plan, e *variant, h identityMigration) rbac.Subject {
	subject := grantee(c, h)
	if c.Policy.Grant.Mode == GroupGrant {
		p.addNote("every extension without a service account is granted the same")
	}
	for _, unit := range e.declaredUnits() {
		p.Switches = append(p.Switches, Switch{
			Extension: e.objectIn(unit), Unit: unit, From: h.from, To: h.to, Lost: h.lost, Gained: h.gained,
		})
	}
	declareGains(p, e, subject, h.missing...)
	p.Description = "Remove " + e.Account.Path.String() + grantClause(c, h, subject)
	if len(h.lost) > 0 {
		p.addNote("%s held %s as well, which --grant %s does not carry over", subjectName(h.from), grantNames(h.lost), c.Policy.Grant)
	}
	p.Notes = append(p.Notes, h.notes...)
	return subject
}

// grantee is who gets the bindings of a handover.
func grantee(c *Context, h identityMigration) rbac.Subject {
	if c.Policy.Grant.Mode == GroupGrant {
		return groupSubject()
	}
	return h.to
}

func grantClause(c *Context, h identityMigration, to rbac.Subject) string {
	switch {
	case len(h.missing) == 0 && c.Policy.Grant.Mode == RoleGrant:
		return "; " + subjectName(to) + " already holds ClusterRole " + c.Policy.Grant.Role
	case len(h.missing) == 0 && c.Policy.Grant.Mode == LeastPrivilege:
		return "; " + subjectName(to) + " already holds what the bundle needs"
	case len(h.missing) == 0:
		return "; the synthetic identity already holds what the account does"
	case c.Policy.Grant.Mode == RoleGrant:
		return ", and first grant " + subjectName(to) + " " + grantNames(h.missing)
	case c.Policy.Grant.Mode == LeastPrivilege:
		return ", and first grant " + subjectName(to) + " " + rolesText(h.roles)
	}
	return ", and first grant " + subjectName(to) + " what the account holds: " + grantNames(h.missing)
}
