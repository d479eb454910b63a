package change

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Identity is an account, user, or group that exists in one state only: the account has a manifest, or a binding names the
// subject.
type Identity struct {
	Subject rbac.Subject
	// Units are the names of the deployment units, sorted.
	Units []string
}

// subjectsOf returns the accounts of a unit and the subjects of entries. Sides limit the entries to those in selected files.
func subjectsOf(u *objects.Unit, entries []*entry, sides ...Side) map[rbac.Subject]bool {
	all := map[rbac.Subject]bool{}
	for _, e := range entries {
		unselected := func(s Side) bool { return !s.Selected(e.Object.File) }
		if !e.Default && !slices.ContainsFunc(sides, unselected) {
			all[e.who] = true
		}
	}
	group := ""
	for _, o := range u.Find(objects.Query{Group: &group, Kind: rbac.KindServiceAccount}) {
		all[rbac.Account(objects.Account{Namespace: o.Namespace, Name: o.Name})] = true
	}
	return all
}

// identities collects identities by their subject.
type identities map[rbac.Subject][]string

// addMissing adds the identities of one state of a unit that the other does not have.
func (i identities) addMissing(unit string, has, other map[rbac.Subject]bool) {
	for who := range has {
		if !other[who] {
			i[who] = append(i[who], unit)
		}
	}
}

func (i identities) sorted() []Identity {
	var list []Identity
	for _, who := range slices.SortedFunc(maps.Keys(i), compareSubjects) {
		slices.Sort(i[who])
		list = append(list, Identity{who, slices.Compact(i[who])})
	}
	return list
}

// compareText compares pairs of strings, the first pair first.
func compareText(pairs ...string) int {
	order := 0
	for i := 0; i+1 < len(pairs) && order == 0; i += 2 {
		order = cmp.Or(order, strings.Compare(pairs[i], pairs[i+1]))
	}
	return order
}
