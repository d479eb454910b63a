package identity

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// AddServiceAccount gives an extension the account that its target requires: the account, bindings to everything that the
// synthetic identity is granted, and the field.
func AddServiceAccount(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	if err := CheckAccountSetters(c, r.Object); err != nil {
		return nil, err
	}
	e, err := uniformVariant(c, r.Object)
	if err != nil {
		return addAccountPerUnit(c, r, err)
	}
	if err := checkAddable(c, e); err != nil {
		return nil, err
	}
	account, err := installerFor(c, e, usualAccount(e, e.Name))
	if err != nil {
		return nil, err
	}
	h, err := migrateToAccount(c, e, account)
	if err != nil {
		return nil, err
	}
	objects, err := newAccount(c, e, account)
	if err != nil {
		return nil, err
	}
	held := directGrants(c, e, account)
	p := &engine.Plan{
		Object:      r.Object,
		Description: describeAccount(e, h, held, len(objects) == 0),
		Switches:    []engine.Switch{{Extension: e.Object, From: h.From, To: h.To, Lost: h.lost, Gained: h.gained}},
	}
	p.Notes = append(p.Notes, h.notes...)
	for _, g := range h.Missing {
		p.Gains = append(p.Gains, engine.GrantChange{Subject: account, Grant: g})
	}
	noteFurtherGrants(p, h, held)
	if err := checkNoOtherGains(c, e, account, h.Missing); err != nil {
		return nil, err
	}
	objects = append(objects, rolesAndBindings(c, e, h, account)...)
	if err := addGenerated(c, p, e, objects, installerFile); err != nil {
		return nil, err
	}
	setAccount(p, e, account.Name)
	c.DeclareBuiltChanges(p)
	return p, nil
}

// usualAccount returns the account that salint generates for an extension of a name.
func usualAccount(v *Variant, name string) rbac.Subject {
	return rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: v.Namespace, Name: olm.InstallerName(name)}
}

// describeAccount describes that the field names an account, and what the account is granted first or already has.
func describeAccount(v *Variant, h Migration, held []rbac.Grant, exists bool) string {
	text := "Set " + v.Account.Path.String() + " to " + h.To.Name
	switch {
	case len(h.roles) > 0:
		return text + ", and first grant it " + rolesText(h.roles)
	case len(h.Missing) > 0:
		return text + ", and first grant it " + engine.GrantNames(h.Missing)
	case len(held) > 0 && !exists:
		return text + ", which is created and already has " + engine.GrantNames(held)
	case len(held) > 0:
		return text + ", which exists and has " + engine.GrantNames(held)
	}
	return text
}

// noteFurtherGrants notes what an account has in addition to what it is granted now and what the old identity had: by
// existing bindings, unless the description has them, and by the groups of all accounts.
func noteFurtherGrants(p *engine.Plan, h Migration, held []rbac.Grant) {
	var own, groups []rbac.Grant
	for _, g := range h.ungranted() {
		if slices.Contains(held, g) {
			own = append(own, g)
		} else {
			groups = append(groups, g)
		}
	}
	if len(own) > 0 && len(h.Missing) > 0 {
		p.AddNote("%s exists and also keeps %s", engine.SubjectName(h.To), engine.GrantNames(own))
	}
	if len(groups) > 0 {
		p.AddNote("the groups of all accounts also grant it %s", engine.GrantNames(groups))
	}
}

// directGrants returns what the account is granted itself, in any of the units in which identities count.
func directGrants(c *engine.Context, v *Variant, account rbac.Subject) (held []rbac.Grant) {
	for _, unit := range UnitsUsingIdentity(c, v) {
		held = union(held, GrantsOf(unit, v, account).CertainOnly().directOnly().list)
	}
	return held
}

// checkAddable refuses an extension if the name or the namespace of its account is unknown, or if a unit would reject the
// field.
func checkAddable(c *engine.Context, v *Variant) error {
	_, inTemplate := openShiftTemplate(v.Object)
	if v.hasTemplatedAccount() {
		inTemplate = true // both are filled in alike
	} else if err := v.checkNameKnown(); err != nil {
		return err
	}
	switch {
	case v.Account.State == olm.Named, v.Account.State == olm.Templated, v.Account.State == olm.Malformed:
		return engine.Refuse("%s already exists at %s: correct it by hand", v.Account.Path, v.Object.Position(v.Account.Path))
	case v.Namespace == "":
		return engine.Refuse("the extension sets no namespace, which its account needs: set it")
	case rbac.Templated(v.Namespace) && !inTemplate:
		return engine.Refuse("the namespace %s is a placeholder: write the account by hand", v.Namespace)
	}
	if unit := unitWithModel(c, v, olm.Removed); unit != nil {
		return engine.Refuse("%s (target %s) applies %s too and rejects the field: add the field with a patch where it is "+
			"required",
			unit, c.Lookups.Target(unit, v.objectIn(unit)).Name, v.Object.File)
	}
	return checkUniqueInFolder(c, v)
}

// hasTemplatedAccount reports whether the name of an extension contains variables whose values are unknown, and its account exists
// under the usual name with the same variables: whatever they are, both get the same values.
func (v *Variant) hasTemplatedAccount() bool {
	if !strings.Contains(v.Name, "${") {
		return false
	}
	there, err := v.countAccounts(usualAccount(v, v.Name))
	return err == nil && there == len(v.Units)
}

// migrateToAccount migrates from the synthetic identity to the new account, or back to the account before.
func migrateToAccount(c *engine.Context, v *Variant, account rbac.Subject) (Migration, error) {
	h, back, err := restoreAccount(c, v, account)
	if back || err != nil {
		return h, err
	}
	h, err = migrateIdentity(c, v, v.UserSubject(), account)
	if err != nil {
		return h, err
	}
	for _, unit := range UnitsUsingIdentity(c, v) {
		old := GrantsOf(unit, v, v.UserSubject())
		if len(old.list) == 0 && !c.Policy.Grant.Chosen() {
			return h, refuseUnknownNeeds(c, v, unit, account)
		}
	}
	return h, nil
}

// refuseUnknownNeeds refuses a new account whose permissions are unknown. Bindings of the synthetic identity are not missing where OLM
// acted as its own account before: there, the account is.
func refuseUnknownNeeds(c *engine.Context, v *Variant, unit *objects.Unit, account rbac.Subject) error {
	before := resolveSignals(unit, v.objectIn(unit))
	if before.Known && before.Target.Model == olm.Synthetic || len(directGrants(c, v, account)) > 0 {
		return engine.Refuse("%s, so the permissions that the new account needs are unknown: set --grant role=NAME", nothingBound(unit, v))
	}
	return engine.Refuse("%s has no unused installer account in namespace %s, so the permissions that "+
		"the new account needs are unknown: bind an account there and name it, or set --grant role=NAME", unit, v.Namespace)
}

// newAccount generates the account unless it exists.
func newAccount(c *engine.Context, v *Variant, account rbac.Subject) ([]Generated, error) {
	there, err := v.countAccounts(account)
	if err != nil {
		return nil, err
	}
	switch there {
	case len(v.Units):
		return nil, nil
	case 0:
		if err := checkNotDeleted(v, olm.InstallerName(v.nameInFile())); err != nil {
			return nil, err
		}
		return []Generated{newObject(v, "v1", rbac.KindServiceAccount, account.Namespace, account.Name)}, nil
	}
	return nil, engine.Refuse("%s exists in some of the units that apply %s and is missing in others: add it there by hand",
		engine.SubjectName(account), v.Object.File)
}

// checkNotDeleted refuses to create an account that a unit has in its files, and that a patch removes there: kustomize accepts no second
// object of this name.
func checkNotDeleted(v *Variant, name string) error {
	for _, u := range v.Units {
		for _, o := range u.AsWritten() {
			if o.Kind != rbac.KindServiceAccount || o.Group != "" || o.Name != name || o.Namespace != "" && o.Namespace != v.Namespace {
				continue
			}
			for _, k := range u.Kustomizations {
				if patches := engine.DeletePatches(k, o); len(patches) > 0 {
					line, _ := k.Doc.File.Position(k.Doc.Locate(patches[0]).Start)
					return engine.Refuse("the patch at %s:%d removes %s from %s: remove it, and the patches that remove its bindings and roles, then run salint again",
						k.Path, line, engine.NameOf(o), u)
				}
			}
		}
	}
	return nil
}

// countAccounts counts the units of the extension that have the account.
func (v *Variant) countAccounts(account rbac.Subject) (there int, err error) {
	for _, unit := range v.Units {
		found, err := v.hasOwnAccount(unit, account)
		if err != nil {
			return 0, err
		}
		if found {
			there++
		}
	}
	return there, nil
}

// hasOwnAccount reports whether a unit has the account, and the account belongs to this extension rather than to a namesake.
func (v *Variant) hasOwnAccount(u *objects.Unit, account rbac.Subject) (bool, error) {
	group := ""
	namesakes := u.Namesakes(v.objectIn(u))
	for _, o := range u.Find(objects.Query{Group: &group, Kind: account.Kind, Namespace: account.Namespace, Name: account.Name}) {
		owned, tie := u.Owns(v.objectIn(u), namesakes, o)
		if len(tie) > 0 {
			return false, engine.Refuse("%s at %s belongs to any of the extensions at %s, which are equally near: list the "+
				"objects that are applied together in a kustomization", engine.SubjectName(account), o.Position(nil), engine.Places(tie))
		}
		if owned {
			return true, nil
		}
	}
	return false, nil
}

// setAccount writes the field, after the namespace if both are in one mapping.
func setAccount(p *engine.Plan, v *Variant, name string) {
	path := v.Object.At(v.Account.Path)
	parent, key := path[:len(path)-1], path[len(path)-1]
	after := ""
	for _, sibling := range []string{"namespace", "installNamespace"} {
		if _, ok := v.Object.Doc.Root.Field(parent.Join(sibling)); ok {
			after = sibling
		}
	}
	change := engine.Change{Op: engine.AddField, Path: path, After: after, Value: map[string]any{"name": name}, Order: commit.OrderOther}
	switch v.Account.State {
	case olm.Null:
		change.Op = engine.ReplaceField
	case olm.Empty:
		change = engine.Change{Op: engine.AddField, Path: path.Join("name"), Value: name, Order: commit.OrderOther}
	case olm.EmptyName:
		change = engine.Change{Op: engine.SetText, Path: path.Join("name"), Value: name, Order: commit.OrderOther}
	case olm.Absent:
		if v.Object.Doc.Root.Lookup(parent) == nil { // a layout with the account in a mapping that does not exist yet
			change.Path, change.After = parent, ""
			change.Value = map[string]any{key: change.Value}
		}
	}
	p.AddChange(v.Object, change)
}
