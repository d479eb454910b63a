package objects

import "slices"

// referenceIndex maps an account to the references to it, in the order of the unit.
type referenceIndex struct {
	byAccount map[Account][]Reference
	byName    map[string][]Reference
}

// Defines reports whether the unit has the manifest of an account.
func (u *Unit) Defines(a Account) bool {
	return slices.ContainsFunc(u.References(a), func(r Reference) bool { return r.What == Definition })
}

// References lists the references to an account in the unit, including those of unknown namespace, sorted by object. The
// caller must not change the list.
func (u *Unit) References(a Account) []Reference {
	index := u.references.get(u.indexReferences)
	if a.Namespace == "" {
		return index.byName[a.Name]
	}
	known, unknown := index.byAccount[a], index.byAccount[Account{Name: a.Name}]
	switch {
	case len(unknown) == 0:
		return known
	case len(known) == 0:
		return unknown
	}
	merged := slices.Concat(known, unknown)
	slices.SortStableFunc(merged, func(x, y Reference) int { return Compare(x.Object, y.Object) })
	return merged
}

func (u *Unit) indexReferences() *referenceIndex {
	index := &referenceIndex{byAccount: map[Account][]Reference{}, byName: map[string][]Reference{}}
	for _, object := range u.Objects {
		for _, ref := range object.References() {
			index.byAccount[ref.Account] = append(index.byAccount[ref.Account], ref)
			index.byName[ref.Account.Name] = append(index.byName[ref.Account.Name], ref)
		}
	}
	return index
}
