package lint

import (
	"strings"

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
