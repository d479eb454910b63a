package identity

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// unitAccount is the account that an extension gets in one unit.
type unitAccount struct {
	*Variant
	account rbac.Subject
	// written is the name in the file of the extension: as applied, or with the variables that the unit fills in.
	written string
	made    []Generated
	h       Migration
	held    []rbac.Grant
}

// addAccountPerUnit adds the account of an extension that units apply under different names than its file has. Kustomize changes
// the name of the account and not the field, so the field gets the name as applied: in the file if it is the same in all units,
// and otherwise in a patch of each unit. The reason is why the file alone does not suffice.
func addAccountPerUnit(c *engine.Context, r engine.Request, reason error) (*engine.Plan, error) {
	f, err := appliedVariantsOf(c, r.Object)
	if err != nil {
		return nil, err
	}
	var all []*unitAccount
	asked := f.where(func(v *Variant) bool { return c.Scope.Allows(v.Units[0], v.Object) })
	for _, v := range asked {
		if strictestModel(c, v) != olm.Required || v.Account.State != olm.Absent || openShiftTemplated(v) {
			return nil, reason // a patch adds a field that is missing, and other units must not get it
		}
		a, err := accountInUnit(c, v, reason)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	if len(all) == 0 {
		return nil, reason
	}
	p := &engine.Plan{Object: r.Object}
	var descriptions []string
	for _, a := range all {
		if err := a.addTo(c, p); err != nil {
			return nil, err
		}
		if text := describeAccount(a.Variant, a.h, a.held, len(a.made) == 0); !slices.Contains(descriptions, text) {
			descriptions = append(descriptions, text)
		}
	}
	p.Description = engine.ShortList(descriptions, "Set "+all[0].Account.Path.String())
	return p, setPerUnit(c, p, all, len(asked) == len(f.variants))
}

func openShiftTemplated(v *Variant) bool {
	_, is := openShiftTemplate(v.Object)
	return is
}

// accountInUnit works out the account of an extension in its only unit: one that is there, or one beside the kustomization at the
// root of the unit.
func accountInUnit(c *engine.Context, v *Variant, reason error) (*unitAccount, error) {
	if err := checkAddable(c, v); err != nil {
		return nil, err
	}
	root, rootErr := rootKustomization(c, v)
	usual := usualAccount(v, v.Name)
	if rootErr == nil {
		v.root = root
		usual.Name = v.appliedName(olm.InstallerName(v.Object.Source().Name))
	}
	account, err := installerFor(c, v, usual)
	if err != nil {
		return nil, err
	}
	a := &unitAccount{Variant: v, account: account, written: v.writtenName(account)}
	if a.h, err = migrateToAccount(c, v, account); err != nil {
		return nil, err
	}
	a.held = directGrants(c, v, account)
	there, err := v.countAccounts(account)
	if err != nil {
		return nil, err
	}
	subject := account
	if there == 0 {
		if err := checkNotDeleted(v, olm.InstallerName(v.Object.Source().Name)); err != nil {
			return nil, err
		}
		subject.Name = olm.InstallerName(v.Object.Source().Name)
		a.made = []Generated{newObject(v, "v1", rbac.KindServiceAccount, account.Namespace, subject.Name)}
	}
	if err := checkNoOtherGains(c, v, account, a.h.Missing); err != nil {
		return nil, err
	}
	a.made = append(a.made, rolesAndBindings(c, v, a.h, subject)...)
	if len(a.made) > 0 && (rootErr != nil || rbac.Templated(subject.Name)) {
		return nil, reason
	}
	return a, nil
}

// writtenName returns the name of an account for the file of the extension: if the manifest of the account has variables that the
// unit fills in, the name with these variables.
func (v *Variant) writtenName(account rbac.Subject) string {
	group := ""
	query := objects.Query{Group: &group, Kind: account.Kind, Namespace: account.Namespace, Name: account.Name}
	for _, o := range v.Units[0].Find(query) {
		if source := o.Source(); source != nil && strings.Contains(source.Name, "${") {
			return source.Name
		}
	}
	return account.Name
}

// addTo adds the account, its bindings, and the switch of the identity to a plan.
func (a *unitAccount) addTo(c *engine.Context, p *engine.Plan) error {
	unit := a.Units[0]
	p.Notes = append(p.Notes, a.h.notes...)
	p.Switches = append(p.Switches, engine.Switch{Extension: a.Object, Unit: unit, From: a.h.From, To: a.h.To, Lost: a.h.lost, Gained: a.h.gained})
	for _, g := range a.h.Missing {
		p.Gains = append(p.Gains, engine.GrantChange{Subject: a.account, Grant: g, Unit: unit})
	}
	noteFurtherGrants(p, a.h, a.held)
	return addGenerated(c, p, a.Variant, a.made, installerFile)
}

// setPerUnit writes the field: in the file if that reaches no other unit and it has the same name there for all of them, otherwise
// in a patch for each.
func setPerUnit(c *engine.Context, p *engine.Plan, all []*unitAccount, inFile bool) error {
	first := all[0]
	same := inFile && !slices.ContainsFunc(all, func(a *unitAccount) bool { return a.written != first.written })
	if same {
		if err := setInFile(p, all); err != nil {
			return err
		}
	}
	for _, a := range all {
		path := a.Account.Path
		if !same {
			root, err := rootKustomization(c, a.Variant)
			if err != nil {
				return err
			}
			if err := patchAccount(p, a, root); err != nil {
				return err
			}
		}
		p.Applied = append(p.Applied, engine.AppliedChange{
			Unit: a.Units[0], Object: a.Object, Op: engine.AddField, Path: path.Join(), Value: map[string]any{"name": a.account.Name},
		})
	}
	return nil
}

// setInFile writes the field in the file of the extension. If the file has it already, patches of the units remove it: these go.
func setInFile(p *engine.Plan, all []*unitAccount) error {
	first := all[0]
	source := first.Object.Source()
	if source.Node.Lookup(first.Account.Path) == nil {
		setAccount(p, first.Variant, first.written)
		return nil
	}
	var undo engine.FieldRemoval
	for _, a := range all {
		found := false
		for _, w := range a.writers(a.Account.Path) {
			if w.What == objects.Base {
				continue
			}
			var shared engine.Plan
			noteSharedPatches(&shared, a.Variant, a.Account.Path, []objects.Writer{w})
			if w.Effect != objects.Deletes || w.Filled || len(shared.SharedPatches) > 0 || !namesOnly(source, a.written) {
				return refuseSetInFile(a, w)
			}
			undo.Add(w)
			found = true
		}
		if !found {
			return engine.Refuse("%s is in %s, and %s applies the extension without it: find what removes it there",
				a.Account.Path, source.Position(a.Account.Path), a.Units[0])
		}
	}
	return undo.AddChanges(p)
}

// refuseSetInFile refuses to set a field that the file of the extension has, and names the place that changes it.
func refuseSetInFile(a *unitAccount, w objects.Writer) error {
	source := a.Object.Source()
	return engine.Refuse("%s is already in %s, and %s applies it differently because of %s: correct both together by hand"+engine.CompareBuilds,
		a.Account.Path, source.Position(a.Account.Path), a.Units[0], w.Position())
}

// patchAccount lets the kustomization at the root of a unit set the account. A patch there that removes the field, as salint writes it
// when an overlay is migrated, is removed or edited: a second patch would contradict it.
func patchAccount(p *engine.Plan, a *unitAccount, root *objects.Kustomization) error {
	path, source := a.Account.Path, a.Object.Source()
	naming := strategicPatch(source, path.Join("name"), " "+a.account.Name)
	removal, ok := ownRemoval(a.Variant, root)
	switch {
	case ok && namesOnly(source, a.account.Name):
		var undo engine.FieldRemoval
		undo.Add(removal)
		return undo.AddChanges(p)
	case ok && strings.TrimSpace(string(removal.Doc.File.Data)) == strategicPatch(source, path, " null"):
		p.AddDocumentChange(root.Doc, engine.Change{Op: engine.SetText, Path: removal.Inline, Value: naming})
	default:
		p.AppendPatch(root, source, naming)
	}
	return nil
}

// ownRemoval returns the patch in a kustomization that removes the account of this extension alone, if nothing else but the file of the
// extension writes the field.
func ownRemoval(v *Variant, root *objects.Kustomization) (removal objects.Writer, ok bool) {
	for _, w := range v.writers(v.Account.Path) {
		switch {
		case w.What == objects.Base:
		case ok || w.Effect != objects.Deletes || w.What != objects.StrategicPatch || w.Inline == nil || w.Filled || w.Kustomization != root:
			return objects.Writer{}, false
		default:
			removal, ok = w, true
		}
	}
	if !ok {
		return removal, false
	}
	var shared engine.Plan
	noteSharedPatches(&shared, v, v.Account.Path, []objects.Writer{removal})
	return removal, len(shared.SharedPatches) == 0
}

// namesOnly reports whether the file of an extension names an account, and nothing else in that mapping.
func namesOnly(source *objects.Object, name string) bool {
	read, ok := olm.ReadExtension(source.Node)
	if !ok || read.Account.State != olm.Named || read.Account.Name != name {
		return false
	}
	node := source.Node.Lookup(read.Account.Path)
	return node != nil && len(node.Fields()) == 1
}
