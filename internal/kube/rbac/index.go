package rbac

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/kube/objects"
)

// index leads from a subject to its bindings. It is made once per unit.
type index struct {
	unit     *objects.Unit
	bindings []Binding // one for each subject, sorted by object and place in it

	// These hold places in bindings. An account is filed as the subject has it; "" is an unknown namespace.
	byAccount       map[objects.Account][]int
	byAccountName   map[string][]int
	byUser          map[string][]int
	byGroup         map[string][]int
	byLaterAccount  map[string][]int // by the name of the account: its namespace is filled in later
	namespaceGroups []int            // the groups of the accounts of one namespace, all of them
	templated       []int            // the subjects whose name is filled in later

	referrers memo[objects.Account, map[*objects.Object]bool]
	rivals    memo[rivalry, *rivals]
	roles     *roleFinder
	written   memo[*objects.Object, writtenRole]
	gatherers memo[string, *gatherer] // by the folder that roles are looked up from, where that matters
	selected  memo[string, []*clusterRole]
	catalogue func() *catalogue
}

type indexKey struct{}

func indexOf(u *objects.Unit) *index {
	return u.Cached(indexKey{}, func() any { return newIndex(u) }).(*index)
}

func newIndex(u *objects.Unit) *index {
	x := &index{
		unit:           u,
		byAccount:      map[objects.Account][]int{},
		byAccountName:  map[string][]int{},
		byLaterAccount: map[string][]int{},
		byUser:         map[string][]int{},
		byGroup:        map[string][]int{},
	}
	x.roles = &roleFinder{unit: u}
	x.catalogue = sync.OnceValue(x.newCatalogue)
	again := appliedAgain(u)
	for _, object := range u.Objects {
		bindings, ok := readBinding(object)
		if !ok || len(bindings) == 0 {
			continue
		}
		role, tie := x.roles.find(object, bindings[0].Role)
		for _, b := range bindings {
			b.RoleObject, b.RoleTie, b.Again = role, tie, again[object]
			x.file(b)
		}
	}
	return x
}

// appliedAgain lists the bindings whose identity another has that is applied with them: by the same kustomization, which
// kustomize refuses, or from the same file, of which the last one stays. Plain files may be of several clusters.
func appliedAgain(u *objects.Unit) map[*objects.Object]bool {
	type identity struct{ kind, namespace, name, file string }
	first := map[identity]*objects.Object{}
	again := map[*objects.Object]bool{}
	for _, o := range u.Objects {
		scope, ok := scopeOf(o)
		if !ok || o.Name == "" {
			continue
		}
		id := identity{o.Kind, scope, o.Name, ""}
		if u.Kind == objects.PlainUnit {
			id.file = o.File
		}
		if other := first[id]; other != nil {
			again[other], again[o] = true, true
			continue
		}
		first[id] = o
	}
	return again
}

func (x *index) file(b Binding) {
	place := len(x.bindings)
	x.bindings = append(x.bindings, b)
	if name, later := b.Subject.laterAccount(); later {
		x.byLaterAccount[name] = append(x.byLaterAccount[name], place)
	}
	if Templated(b.Subject.Name) {
		x.templated = append(x.templated, place)
	}
	account, isAccount := b.Subject.account()
	switch {
	case isAccount:
		x.byAccount[account] = append(x.byAccount[account], place)
		x.byAccountName[account.Name] = append(x.byAccountName[account.Name], place)
	case b.Subject.Kind == KindUser:
		x.byUser[b.Subject.Name] = append(x.byUser[b.Subject.Name], place)
	default:
		x.byGroup[b.Subject.Name] = append(x.byGroup[b.Subject.Name], place)
		if strings.HasPrefix(b.Subject.Name, accountsGroupIn) {
			x.namespaceGroups = append(x.namespaceGroups, place)
		}
	}
}

// reached is a place in the list of bindings, and how the subject asked about is reached by it.
type reached struct {
	place     int
	via       string
	uncertain bool
}

// reach lists the bindings that reach an identity, each once, in their order.
func (x *index) reach(who Identity) []reached {
	var hits []reached
	add := func(places []int, via string, uncertain bool) {
		for _, place := range places {
			hits = append(hits, reached{place, via, uncertain})
		}
	}
	account, isAccount := who.account()
	switch {
	case isAccount && account.Namespace == "":
		// Any account of the name may be meant, and so may the accounts of any namespace.
		add(x.byAccountName[account.Name], "", true)
		for _, place := range x.namespaceGroups {
			add([]int{place}, x.bindings[place].Subject.Name, true)
		}
	case isAccount:
		add(x.byAccount[account], "", false)
		add(x.byAccount[objects.Account{Name: account.Name}], "", true)
		for _, place := range x.byLaterAccount[account.Name] {
			if same, ok := x.bindings[place].Subject.account(); !ok || same != account {
				add([]int{place}, "", true)
			}
		}
	case who.User != "":
		add(x.byUser[who.User], "", false)
	}
	for _, group := range who.Groups {
		add(x.byGroup[group], group, false)
	}
	slices.SortStableFunc(hits, func(a, b reached) int { return cmp.Compare(a.place, b.place) })
	return slices.CompactFunc(hits, func(a, b reached) bool { return a.place == b.place })
}

// of lists the bindings of an identity, wherever they lie.
func (x *index) of(who Identity) []Binding {
	hits := x.reach(who)
	found := make([]Binding, len(hits))
	for i, hit := range hits {
		found[i] = x.binding(hit)
	}
	return found
}

func (x *index) binding(hit reached) Binding {
	b := x.bindings[hit.place]
	b.Via, b.Uncertain = hit.via, hit.uncertain
	return b
}

// rivalry is a question of nearness: the objects of one name that act as one identity.
type rivalry struct{ group, kind, namespace, name, identity string }

// rivals are the bindings that reach an identity, dealt out among the objects that rival for them. Both are nil when one
// object alone wants them.
type rivals struct {
	hits   []reached
	shares *objects.Assignments
}

// near lists the bindings of an identity that belong to an object rather than to another of its name that acts as the
// identity too.
func (x *index) near(from *objects.Object, who Identity) []Binding {
	question := rivalry{from.Group, from.Kind, from.Namespace, from.Name, who.key()}
	r := x.rivals.get(question, func() *rivals { return x.deal(from, who) })
	if r.shares == nil {
		return x.of(who)
	}
	var near []Binding
	for _, share := range r.shares.Of(from) {
		b := x.binding(r.hits[share.Candidate])
		b.Tie = share.Tie
		near = append(near, b)
	}
	return near
}

func (x *index) deal(from *objects.Object, who Identity) *rivals {
	namesakes := x.unit.Namesakes(from)
	if len(namesakes) < 2 {
		return &rivals{}
	}
	r := &rivals{hits: x.reach(who)}
	objs := make([]*objects.Object, len(r.hits))
	for i, hit := range r.hits {
		objs[i] = x.bindings[hit.place].Object
	}
	r.shares = objects.NewNeighbours(x.consumers(namesakes, who)).Assign(objs)
	return r
}

// consumers are the namesakes that act as an identity. Whoever carries the name of an extension has its synthetic user,
// so for users and groups these are all of them.
func (x *index) consumers(namesakes []*objects.Object, who Identity) []*objects.Object {
	account, isAccount := who.account()
	if !isAccount {
		return namesakes
	}
	referrers := x.referrers.get(account, func() map[*objects.Object]bool {
		set := map[*objects.Object]bool{}
		for _, ref := range x.unit.References(account) {
			set[ref.Object] = true
		}
		return set
	})
	return slices.DeleteFunc(namesakes, func(o *objects.Object) bool { return !referrers[o] })
}

// memo keeps what was computed once. It may be used from several goroutines.
type memo[K comparable, V any] struct{ values sync.Map }

func (m *memo[K, V]) get(key K, compute func() V) V {
	value, ok := m.values.Load(key)
	if !ok {
		value, _ = m.values.LoadOrStore(key, sync.OnceValue(compute))
	}
	return value.(func() V)()
}
