package pods

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// aliasedForm is the applied form of a pod in one unit.
type aliasedForm struct {
	applied.Form
	path manifest.Path // of the pod
	pod  *manifest.Node
	// writers are the places that write serviceAccount, in the order in which they are applied.
	writers []objects.Writer
}

// aliasedForms returns the applied forms of a pod. The field can be set in the file of the pod and in patches.
func aliasedForms(c *engine.Context, o *objects.Object, path manifest.Path) ([]aliasedForm, error) {
	var forms []aliasedForm
	for _, m := range c.Repo.AppliedForms(o) {
		if err := c.CheckBuild(m.Unit, m.Object); err != nil {
			return nil, err
		}
		f := aliasedForm{Form: m, path: path, pod: m.Object.Node.Lookup(path)}
		if !f.pod.IsMapping() {
			return nil, engine.Refuse("%s applies %s without a pod at %s: change it by hand"+engine.CompareBuilds,
				m.Unit, engine.NameOf(m.Object), path)
		}
		f.writers = engine.WritersOf(m.Object, path.Join(AccountAlias))
		if err := f.checkWriters(); err != nil {
			return nil, err
		}
		if err := f.checkRenamedAccount(renamedAccounts(c, f.Unit)); err != nil {
			return nil, err
		}
		forms = append(forms, f)
	}
	return forms, nil
}

func (f aliasedForm) text(field string) string { return f.pod.Get(field).String() }

// isNamed reports whether serviceAccountName names the account, so that serviceAccount has no effect.
func (f aliasedForm) isNamed() bool { return f.text(PodAccountField) != "" }

func (f aliasedForm) contradicts() bool {
	return f.isNamed() && f.text(AccountAlias) != "" && f.text(AccountAlias) != f.text(PodAccountField)
}

// checkWriters refuses writers whose effect on the field cannot be undone separately, and a field whose writer is unknown.
func (f aliasedForm) checkWriters() error {
	if err := engine.CheckWriters(f.writers, AccountAlias); err != nil {
		return err
	}
	if f.pod.Get(AccountAlias) != nil && len(f.writers) == 0 {
		return engine.RefuseUnknownWriter(f.Form, AccountAlias, f.Object.Position(f.path.Join(AccountAlias)))
	}
	return nil
}

// checkRenamedAccount refuses a pod that would run as another account after the rename: kustomize puts the applied name of
// the account into serviceAccountName, but not into serviceAccount. The accounts are the renamed accounts of the unit.
func (f aliasedForm) checkRenamedAccount(accounts map[string]string) error {
	name := f.text(AccountAlias)
	applied, isRenamed := accounts[name]
	if f.isNamed() || !isRenamed {
		return nil
	}
	return engine.Refuse("%s applies ServiceAccount %s as %s, and kustomize writes that into serviceAccountName only, so the pod would run as %s: "+
		"rename the field by hand if this is intended", f.Unit, name, applied, applied)
}

// renamedAccounts returns the names under which a unit applies accounts that have other names in their files.
func renamedAccounts(c *engine.Context, u *objects.Unit) map[string]string {
	all := engine.Memo(c, func(*engine.Context) accountRenames { return accountRenames{} })
	if known, ok := all[u]; ok {
		return known
	}
	renamed, core := map[string]string{}, ""
	for _, account := range u.Find(objects.Query{Group: &core, Kind: rbac.KindServiceAccount}) {
		if source := account.Source(); source != nil && source.Name != account.Name {
			renamed[source.Name] = account.Name
		}
	}
	all[u] = renamed
	return renamed
}

// accountRenames are the results of renamedAccounts by the unit.
type accountRenames map[*objects.Unit]map[string]string
