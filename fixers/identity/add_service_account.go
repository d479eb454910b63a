package identity

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// AddServiceAccount gives an extension the account that its target requires: the account, bindings to everything that the
// synthetic identity is granted, and the field.
func AddServiceAccount(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	e, err := uniformVariant(c, r.Object)
	if err != nil {
		return nil, err
	}
	if err := checkAddable(c, e); err != nil {
		return nil, err
	}
	account := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: e.Namespace, Name: olm.InstallerName(e.Name)}
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
	c.Repo.DeclareBuiltChanges(p)
	return p, nil
}

// describeAccount describes that the field names an account, and what the account is granted first or already has.
func describeAccount(e *Variant, h Migration, held []rbac.Grant, isThere bool) string {
	text := "Set " + e.Account.Path.String() + " to " + h.To.Name
	switch {
	case len(h.roles) > 0:
		return text + ", and first grant it " + rolesText(h.roles)
	case len(h.Missing) > 0:
		return text + ", and first grant it " + engine.GrantNames(h.Missing)
	case len(held) > 0 && !isThere:
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
func directGrants(c *engine.Context, e *Variant, account rbac.Subject) (held []rbac.Grant) {
	for _, unit := range UnitsUsingIdentity(c, e) {
		held = union(held, GrantsOf(unit, e, account).CertainOnly().directOnly().list)
	}
	return held
}

// checkAddable refuses an extension if the name or the namespace of its account is unknown, or if a unit would reject the
// field.
func checkAddable(c *engine.Context, e *Variant) error {
	if err := e.checkNameKnown(); err != nil {
		return err
	}
	_, inTemplate := openShiftTemplate(e.Object)
	switch {
	case e.Account.State == olm.Named, e.Account.State == olm.Templated, e.Account.State == olm.Malformed:
		return engine.Refuse("%s already exists: correct it by hand", e.Account.Path)
	case e.Namespace == "":
		return engine.Refuse("the extension sets no namespace, which its account needs: set it")
	case rbac.Templated(e.Namespace) && !inTemplate:
		return engine.Refuse("the namespace %s is a placeholder: write the account by hand", e.Namespace)
	}
	if unit := unitWithModel(c, e, olm.Removed); unit != nil {
		return engine.Refuse("%s (target %s) applies %s too and rejects the field: add the field with a patch where it is "+
			"required",
			unit, c.Lookups.Target(unit, e.objectIn(unit)).Name, e.Object.File)
	}
	return checkUniqueInFolder(c, e)
}

// migrateToAccount migrates from the synthetic identity to the new account, or back to the account before.
func migrateToAccount(c *engine.Context, e *Variant, account rbac.Subject) (Migration, error) {
	h, back, err := restoreAccount(c, e, account)
	if back || err != nil {
		return h, err
	}
	h, err = migrateIdentity(c, e, e.UserSubject(), account)
	if err != nil {
		return h, err
	}
	for _, unit := range UnitsUsingIdentity(c, e) {
		old := GrantsOf(unit, e, e.UserSubject())
		if len(old.list) == 0 && !c.Policy.Grant.Chosen() {
			return h, engine.Refuse("%s, so the permissions that the new account needs are unknown: set --grant role=NAME",
				nothingBound(unit, e))
		}
	}
	return h, nil
}

// newAccount generates the account unless it exists.
func newAccount(c *engine.Context, e *Variant, account rbac.Subject) ([]Generated, error) {
	there, err := e.countAccounts(account)
	if err != nil {
		return nil, err
	}
	switch there {
	case len(e.Units):
		return nil, nil
	case 0:
		return []Generated{newObject(e, "v1", rbac.KindServiceAccount, account.Namespace, account.Name)}, nil
	}
	return nil, engine.Refuse("%s exists in some of the units that apply %s and is missing in others: add it there by hand",
		engine.SubjectName(account), e.Object.File)
}

// countAccounts counts the units of the extension that have the account.
func (e *Variant) countAccounts(account rbac.Subject) (there int, err error) {
	for _, unit := range e.Units {
		found, err := e.hasOwnAccount(unit, account)
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
func (e *Variant) hasOwnAccount(u *objects.Unit, account rbac.Subject) (bool, error) {
	group := ""
	namesakes := u.Namesakes(e.objectIn(u))
	for _, o := range u.Find(objects.Query{Group: &group, Kind: account.Kind, Namespace: account.Namespace, Name: account.Name}) {
		owned, tie := u.Owns(e.objectIn(u), namesakes, o)
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
func setAccount(p *engine.Plan, e *Variant, name string) {
	path := e.Object.At(e.Account.Path)
	parent, key := path[:len(path)-1], path[len(path)-1]
	after := ""
	for _, sibling := range []string{"namespace", "installNamespace"} {
		if _, ok := e.Object.Doc.Root.Field(parent.Join(sibling)); ok {
			after = sibling
		}
	}
	change := engine.Change{Op: engine.AddField, Path: path, After: after, Value: map[string]any{"name": name}, Order: repo.OrderOther}
	switch e.Account.State {
	case olm.Null:
		change.Op = engine.ReplaceField
	case olm.Empty:
		change = engine.Change{Op: engine.AddField, Path: path.Join("name"), Value: name, Order: repo.OrderOther}
	case olm.EmptyName:
		change = engine.Change{Op: engine.SetText, Path: path.Join("name"), Value: name, Order: repo.OrderOther}
	case olm.Absent:
		if e.Object.Doc.Root.Lookup(parent) == nil { // a layout with the account in a mapping that does not exist yet
			change.Path, change.After = parent, ""
			change.Value = map[string]any{key: change.Value}
		}
	}
	p.AddChange(e.Object, change)
}
