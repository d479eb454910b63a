package lint

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// meansOther reports whether units apply a place with other names than this one: a kustomization that changes the name of an account
// changes the references to it as well. A reference that it leaves unchanged may still be meant for the account, by mistake.
func (m *mentions) meansOther(place objects.Mention, applied string) bool {
	if place.Ref == "" || len(place.Path) == 0 {
		return false
	}
	m.indexed.Do(m.indexFiles)
	forms := 0
	for _, unit := range m.byFile[place.File] {
		o := unit.Object(place.Ref)
		if o == nil {
			continue
		}
		forms++
		value := o.Node.Lookup(place.Path)
		text := value.String()
		if source := o.Source(); source == nil || source.Node.Lookup(place.Path).String() == text {
			return false
		}
		if !value.IsScalar() || text == "" || rbac.Templated(text) || strings.Contains(text, applied) ||
			strings.Contains(place.Path[len(place.Path)-1], applied) {
			return false
		}
	}
	return forms > 0
}

// isOfOther reports whether a place is no use of the account that asks: it means an account of the same name that is applied with the
// place or lies nearer to it, or no unit applies the place.
func (m *mentions) isOfOther(asks *objects.Object, place objects.Mention, name string, account objects.Account) bool {
	if asks == nil || accountIn(asks) != account.Name || asks.Kind != rbac.KindServiceAccount || !objects.SameNamespace(asks.Namespace, account.Namespace) {
		return false
	}
	m.asking.Lock()
	defer m.asking.Unlock()
	return place.IsPatchedAway(m.repository.UnitsOf(place.File), name) || m.repository.MeansNamesake(asks, place.File)
}

// otherUnits returns the units that apply a place, if it is a field of an extension that the unit of an account removes, and every
// other unit that has the extension applies the account as well: it is in use only there. Otherwise it returns nil.
func (m *mentions) otherUnits(asks *objects.Object, place objects.Mention, name string) []string {
	if asks == nil || asks.Kind != rbac.KindServiceAccount || place.Ref == "" {
		return nil
	}
	m.asking.Lock()
	defer m.asking.Unlock()
	own := m.repository.UnitThatHas(asks)
	if own == nil || own.Kind == objects.PlainUnit || !place.IsPatchedAway([]*objects.Unit{own}, name) {
		return nil
	}
	with := map[*objects.Unit]bool{}
	for _, form := range m.repository.AppliedForms(asks) {
		with[form.Unit] = true
	}
	var others []string
	for _, unit := range m.repository.UnitsOf(place.File) {
		switch form := unit.Object(place.Ref); {
		case unit.NotBuilt, form != nil && !with[unit]:
			return nil
		case form != nil && form.Node.Lookup(place.Path) != nil:
			others = append(others, unit.String())
		}
	}
	return others
}

// isRenamedIn reports whether all of the units apply the manifest of an account with another name or in another namespace.
func (m *mentions) isRenamedIn(account *objects.Object, units []string) bool {
	m.asking.Lock()
	defer m.asking.Unlock()
	return !slices.ContainsFunc(m.repository.AppliedForms(account), func(form engine.UnitObject) bool {
		return form.Object.Name == account.Name && form.Object.Namespace == account.Namespace && slices.Contains(units, form.Unit.String())
	})
}

func (m *mentions) indexFiles() {
	m.byFile = map[string][]*objects.Unit{}
	for _, unit := range m.units {
		seen := map[string]bool{}
		for _, o := range unit.Objects {
			if !seen[o.File] {
				seen[o.File] = true
				m.byFile[o.File] = append(m.byFile[o.File], unit)
			}
		}
	}
}
