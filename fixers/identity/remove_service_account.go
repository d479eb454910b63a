package identity

import (
	"fmt"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// RemoveServiceAccount removes the field from an extension wherever it is set. If OLM then acts as the synthetic identity,
// that identity is first granted what the account has. Units that require the field keep it.
func RemoveServiceAccount(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	f, err := appliedVariantsOf(c, r.Object)
	if err != nil {
		return nil, err
	}
	isAsked := func(v *Variant) bool { return c.Scope.Allows(v.Units[0], v.Object) }
	requires := func(v *Variant) bool {
		model := strictestModel(c, v)
		return model == olm.Required || model == olm.Unknown
	}
	leaving := f.where(func(v *Variant) bool { return isAsked(v) && !requires(v) && v.Account.State != olm.Absent })
	keeping := f.where(func(v *Variant) bool { return !isAsked(v) || requires(v) })
	folding := slices.DeleteFunc(slices.Clone(keeping), func(v *Variant) bool { return !isAsked(v) && patchesFieldAway(c, v) })
	requiring := f.where(func(v *Variant) bool { return isAsked(v) && requires(v) })
	if len(requiring) > 0 && (len(leaving) == 0 || isEmpty(requiring)) {
		return keepAccount(c, mergeVariants(r.Object, requiring), r)
	}
	if err := checkSeparable(c, f, leaving); err != nil {
		return nil, err
	}
	if len(leaving) == 0 {
		return nil, engine.Refuse("the extension names no account")
	}
	for _, v := range leaving {
		if err := CheckServedVersion(v); err != nil {
			return nil, err
		}
	}
	if err := CheckAccountReaders(c, f.object); err != nil {
		return nil, err
	}
	if err := CheckAccountSetters(c, f.object); err != nil {
		return nil, err
	}
	if err := checkReplacementSources(c, leaving); err != nil {
		return nil, err
	}
	targets := []*Variant{mergeVariants(f.object, leaving)}
	if slices.ContainsFunc(leaving, func(v *Variant) bool { return strictestModel(c, v) == olm.Synthetic }) {
		if targets, err = grantTargets(c, f, leaving); err != nil {
			return nil, err
		}
	}
	p := &engine.Plan{Object: r.Object}
	var descriptions []string
	for _, e := range targets {
		if err := prepareRemoval(c, p, e); err != nil {
			return nil, err
		}
		if !slices.Contains(descriptions, p.Description) {
			descriptions = append(descriptions, p.Description)
		}
	}
	p.Description = engine.ShortList(descriptions, "Remove "+targets[0].Account.Path.String())
	for _, v := range leaving {
		DeclareLeftPolicies(c, p, v)
		DeclareRejections(c, p, v)
	}
	return p, removeOrFold(c, p, f, leaving, keeping, folding)
}

// CheckServedVersion refuses to remove the account of an extension in a version of the API that only releases serve which require
// the account.
func CheckServedVersion(v *Variant) error {
	if _, version := objects.SplitAPIVersion(v.Object.APIVersion); version != "v1alpha1" || v.Account.State != olm.Named {
		return nil
	}
	return engine.Refuse("%s has the version v1alpha1, which only releases that require the account serve: convert it to %s/v1 first",
		engine.NameOf(v.Object), olm.APIGroup)
}

// checkSeparable refuses if units that are not asked for also apply the extension, and the others cannot be changed without them.
func checkSeparable(c *engine.Context, f *appliedVariants, leaving []*Variant) error {
	var outside []*objects.Unit
	for _, v := range f.where(func(v *Variant) bool { return !c.Scope.Allows(v.Units[0], v.Object) }) {
		outside = append(outside, v.Units[0])
	}
	if len(outside) == 0 || len(leaving) > 0 && haveRoots(c, leaving) {
		return nil
	}
	return engine.RefuseScope(c, f.object, outside)
}

// prepareRemoval describes the removal of the field in the units of a variant, and adds the grants that it needs.
func prepareRemoval(c *engine.Context, p *engine.Plan, v *Variant) error {
	p.Description = "Remove " + v.Account.Path.String() + ": OLM acts as its own account"
	if strictestModel(c, v) == olm.Synthetic {
		return grantUser(c, p, v)
	}
	return nil
}

// isEmpty reports whether any of some variants has a field that names no account.
func isEmpty(variants []*Variant) bool {
	return slices.ContainsFunc(variants, func(v *Variant) bool {
		return v.Account.State == olm.Null || v.Account.State == olm.Empty || v.Account.State == olm.EmptyName
	})
}

// keepAccount plans for an extension whose units require an account. If the field is empty, an account is added; otherwise
// the fix is refused.
func keepAccount(c *engine.Context, v *Variant, r engine.Request) (*engine.Plan, error) {
	unit := unitWithModel(c, v, olm.Required)
	if unit == nil {
		return nil, engine.RefuseUnknownTarget(unitWithModel(c, v, olm.Unknown))
	}
	target := c.Lookups.Target(unit, v.objectIn(unit)).Name
	switch {
	case v.Account.Name == olm.Placeholder:
		return nil, engine.Refuse("%s (target %s) requires an account, but its name cannot be changed on a live object, and "+
			"deleting the extension deletes its CRDs with all custom resources: keep the field until %s has another "+
			"release", unit, target, unit)
	case v.Account.State == olm.Null, v.Account.State == olm.Empty, v.Account.State == olm.EmptyName:
		return AddServiceAccount(c, r)
	}
	return nil, engine.Refuse("%s (target %s) requires the field and applies %s: keep the field in the shared file, and "+
		"remove it with a patch where it is no longer wanted", unit, target, v.Object.File)
}

// grantUser adds the grants that the synthetic identity needs once OLM acts as that identity.
func grantUser(c *engine.Context, p *engine.Plan, v *Variant) error {
	h, switches, err := MigrateToUser(c, p, v)
	if err != nil || !switches {
		return err
	}
	subject := DeclareMigration(c, p, v, h)
	NoteUnknownRole(c, p)
	return addGenerated(c, p, v, rolesAndBindings(c, v, h, subject), SyntheticFile)
}

// MigrateToUser works out the migration to the synthetic identity. It is no switch, and switches is false, if OLM acts as
// that identity already; the description of the plan then differs.
func MigrateToUser(c *engine.Context, p *engine.Plan, v *Variant) (h Migration, switches bool, err error) {
	if err := CheckSyntheticGate(c, v); err != nil {
		return h, false, err
	}
	switch v.Account.State {
	case olm.Null, olm.Empty, olm.EmptyName:
		p.Description = "Remove the empty " + v.Account.Path.String()
		return h, false, nil
	case olm.Malformed:
		return h, false, engine.Refuse("%s is not a valid account, so the permissions of the extension are unknown: correct "+
			"it first", v.Account.Path)
	}
	if err := v.checkNameKnown(); err != nil {
		return h, false, err
	}
	if v.Account.Name == olm.Placeholder {
		return h, false, dropPlaceholder(c, p, v)
	}
	h, err = migrateFromAccount(c, v)
	return h, true, err
}

// dropPlaceholder removes a name that stands for the synthetic identity: the same bindings stay in effect.
func dropPlaceholder(c *engine.Context, p *engine.Plan, v *Variant) error {
	for _, unit := range UnitsUsingIdentity(c, v) {
		if len(GrantsOf(unit, v, v.UserSubject()).CertainOnly().list) == 0 {
			return engine.Refuse("%s, so the permissions of the extension are unknown: bind its roles first", nothingBound(unit, v))
		}
	}
	p.Description = "Remove " + v.Account.Path.String() + ", which names the synthetic identity: OLM continues to act as " +
		"that identity"
	return nil
}

// migrateFromAccount migrates from the account to the synthetic user.
func migrateFromAccount(c *engine.Context, v *Variant) (Migration, error) {
	if err := checkUniqueInFolder(c, v); err != nil {
		return Migration{}, err
	}
	if c.Policy.Grant.Chosen() {
		return migrateIdentity(c, v, v.AccountSubject(), v.UserSubject())
	}
	switch {
	case v.Account.State == olm.Templated, rbac.Templated(v.Namespace):
		return Migration{}, engine.Refuse("%s contains a placeholder, so its grants are unknown: set --grant "+
			"role=NAME, or bind its roles by hand", engine.SubjectName(v.AccountSubject()))
	case v.Namespace == "":
		return Migration{}, engine.Refuse("the extension sets no namespace, so %s may be any account of that name: "+
			"set the namespace", engine.SubjectName(v.AccountSubject()))
	}
	h, err := migrateIdentity(c, v, v.AccountSubject(), v.UserSubject())
	if err != nil {
		return h, err
	}
	for _, unit := range UnitsUsingIdentity(c, v) {
		if len(clusterGrants(c, v, unit, v.AccountSubject()).list) == 0 {
			where, name := bindingInOtherUnit(c, v, unit)
			return h, engine.Refuse("%[2]s applies no binding of %[1]s, so its grants are unknown%[3]s: add the bindings "+
				"there, %[4]sor set --grant role=NAME", engine.SubjectName(v.AccountSubject()), unit, where, name)
		}
	}
	return h, nil
}

// bindingInOtherUnit returns a binding of the account that another unit applies which can be on a cluster of the given one, and what
// to do about it, as parts of a message.
func bindingInOtherUnit(c *engine.Context, v *Variant, unit *objects.Unit) (where, name string) {
	for _, other := range c.Repo.Units {
		if slices.Contains(v.Units, other) || c.Lookups.Apart(unit, other) {
			continue
		}
		for _, b := range rbac.BindingsOf(other, nil, v.AccountSubject()) {
			if b.Via == "" && !b.Uncertain {
				return fmt.Sprintf(" (%[2]s applies the binding at %[1]s)", b.Object.Position(nil), other), "name the cluster of both in `clusters:`, "
			}
		}
	}
	return "", ""
}

// DeclareMigration declares the changes of a migration to the synthetic user, and returns who is granted what is missing.
func DeclareMigration(c *engine.Context, p *engine.Plan, v *Variant, h Migration) rbac.Subject {
	subject := Grantee(c, h)
	if c.Policy.Grant.Mode == engine.GroupGrant {
		p.AddNote("every extension without a service account is granted the same permissions")
	}
	for _, unit := range v.declaredUnits() {
		p.Switches = append(p.Switches, engine.Switch{
			Extension: v.objectIn(unit), Unit: unit, From: h.From, To: h.To, Lost: h.lost, Gained: h.gained, Beside: h.beside,
		})
	}
	DeclareGains(p, v, subject, h.Missing...)
	p.Description = "Remove " + v.Account.Path.String() + grantClause(c, h, subject)
	if len(h.lost) > 0 {
		p.AddNote("%s also had %s, which --grant %s does not carry over", engine.SubjectName(h.From), engine.GrantNames(h.lost), c.Policy.Grant)
	}
	p.Notes = append(p.Notes, h.notes...)
	return subject
}

// Grantee returns the subject of the bindings of a migration.
func Grantee(c *engine.Context, h Migration) rbac.Subject {
	if c.Policy.Grant.Mode == engine.GroupGrant {
		return engine.GroupSubject()
	}
	return h.To
}

func grantClause(c *engine.Context, h Migration, to rbac.Subject) string {
	switch {
	case len(h.Missing) == 0 && c.Policy.Grant.Mode == engine.RoleGrant:
		return "; " + engine.SubjectName(to) + " already has ClusterRole " + c.Policy.Grant.Role
	case len(h.Missing) == 0 && c.Policy.Grant.Mode == engine.LeastPrivilege:
		return "; " + engine.SubjectName(to) + " already has what the bundle needs"
	case len(h.Missing) == 0:
		return "; the synthetic identity already has what the account has"
	case c.Policy.Grant.Mode == engine.RoleGrant:
		return ", and first grant " + engine.SubjectName(to) + " " + engine.GrantNames(h.Missing)
	case c.Policy.Grant.Mode == engine.LeastPrivilege:
		return ", and first grant " + engine.SubjectName(to) + " " + rolesText(h.roles)
	}
	return ", and first grant " + engine.SubjectName(to) + " what the account has: " + engine.GrantNames(h.Missing)
}
