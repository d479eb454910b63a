package change

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change/gains"
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

// subjectUnits are subjects with the names of the units that have them.
type subjectUnits map[rbac.Subject][]string

// addUsers adds the accounts as which pods of a unit run: they exist on the cluster, also if their manifest is elsewhere.
func (s subjectUnits) addUsers(u *objects.Unit) {
	for _, o := range u.Objects {
		for _, pod := range objects.PodSpecs(o) {
			name, _ := pod.Account()
			who := rbac.Account(objects.Account{Namespace: o.Namespace, Name: name})
			s[who] = append(s[who], "")
		}
	}
}

// isOfKubernetes reports whether every cluster has an identity, or every namespace: a first binding does not make it.
func isOfKubernetes(who rbac.Subject) bool {
	if who.Kind == rbac.KindServiceAccount {
		return who.Name == "default"
	}
	return strings.HasPrefix(who.Name, "system:")
}

// subjectsOf returns the accounts of a unit, and the subjects of the entries of a state. Sides limit the entries to those in selected files.
func subjectsOf(u *objects.Unit, s *gains.State, sides ...Side) subjectUnits {
	all := subjectUnits{}
	for _, e := range s.Entries {
		unselected := func(side Side) bool { return !side.selectsObject(s.Unit, e.Object) }
		if !e.Default && !slices.ContainsFunc(sides, unselected) {
			all[e.Who] = append(all[e.Who], s.Names(e.Object)...)
		}
	}
	group := ""
	for _, o := range u.Find(objects.Query{Group: &group, Kind: rbac.KindServiceAccount}) {
		who := accountOf(o)
		all[who] = append(all[who], s.Names(o)...)
	}
	return all
}

func accountOf(o *objects.Object) rbac.Subject {
	return rbac.Account(objects.Account{Namespace: o.Namespace, Name: o.Name})
}

// identities collects identities by their subject.
type identities map[rbac.Subject][]string

// addMissing adds the identities of one state of a unit that the other does not have.
func (i identities) addMissing(has, other subjectUnits) {
	for who, names := range has {
		if _, there := other[who]; !there && !isOfKubernetes(who) {
			i[who] = append(i[who], names...)
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
