package rbac

import (
	"cmp"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
)

// index maps subjects to their bindings. It is built once per unit and range of versions.
type index struct {
	unit *objects.Unit
	// versions are the versions of Kubernetes whose default roles apply.
	versions kubeversion.Range
	bindings []Binding // one for each subject, sorted by object and index

	// These hold indexes into bindings. An account has the namespace of the subject; "" is an unknown namespace.
	byAccount            map[objects.Account][]int
	byAccountName        map[string][]int
	byUser               map[string][]int
	byGroup              map[string][]int
	byTemplatedNamespace map[string][]int // by the name of an account in a templated namespace
	namespaceGroups      []int            // the groups of all accounts of a namespace
	templated            []int            // the subjects with a templated name

	referrers   memo[objects.Account, map[*objects.Object]bool]
	assignments memo[assignmentKey, *assignment]
	roles       *roleFinder
	written     memo[*objects.Object, writtenRole]
	aggregators memo[string, *aggregator] // by the folder from which roles are resolved, if it matters
	selected    memo[string, []*clusterRole]
	catalog     func() *catalog
	byObject    func() map[*objects.Object][]int
	memberships func() map[string][]string            // the groups of users, as objects of the unit list them
	again       map[*objects.Object][]*objects.Object // the objects of which one takes effect
	// administrators and adminBindings are answers about subjects, for objects without namesakes.
	administrators memo[Subject, bool]
	adminBindings  memo[Subject, []Binding]
}

type indexKey struct{ versions kubeversion.Range }

// indexOf returns the index with the default roles of all versions of Kubernetes that the unit's cluster can run.
func indexOf(u *objects.Unit) *index { return indexIn(u, u.KubernetesVersions()) }

func indexIn(u *objects.Unit, versions kubeversion.Range) *index {
	return u.Cached(indexKey{versions}, func() any { return newIndex(u, versions) }).(*index)
}

func newIndex(u *objects.Unit, versions kubeversion.Range) *index {
	x := &index{
		unit:                 u,
		versions:             versions,
		byAccount:            map[objects.Account][]int{},
		byAccountName:        map[string][]int{},
		byTemplatedNamespace: map[string][]int{},
		byUser:               map[string][]int{},
		byGroup:              map[string][]int{},
	}
	x.roles = &roleFinder{unit: u}
	x.catalog, x.byObject = sync.OnceValue(x.newCatalog), sync.OnceValue(x.indexByObject)
	x.memberships = sync.OnceValue(func() map[string][]string { return membershipsIn(u) })
	x.again = appliedAgain(u)
	for _, object := range u.Objects {
		bindings, ok := readBinding(u, object)
		if !ok || len(bindings) == 0 {
			continue
		}
		role, tie := x.roles.find(object, bindings[0].Role)
		for _, b := range bindings {
			b.RoleObject, b.RoleTie, b.Duplicate = role, tie, x.again[object] != nil
			x.file(b)
		}
	}
	return x
}

// appliedAgain returns the bindings of which another with the same identity and other contents is applied, each with all of them: by the same
// kustomization, which kustomize refuses, or from the same file or folder, of which the last one remains. Plain files of several folders can
// belong to several clusters.
func appliedAgain(u *objects.Unit) map[*objects.Object][]*objects.Object {
	type identity struct{ kind, namespace, name, folder string }
	all := map[identity][]*objects.Object{}
	again := map[*objects.Object][]*objects.Object{}
	if u.Possible {
		return again
	}
	for _, o := range u.Objects {
		scope, ok := scopeOf(u, o)
		if !ok || o.Name == "" {
			continue
		}
		id := identity{o.Kind, scope, o.Name, ""}
		if u.Kind == objects.PlainUnit {
			id.folder = path.Dir(o.File)
		}
		all[id] = append(all[id], o)
	}
	for _, same := range all {
		if !slices.ContainsFunc(same, func(o *objects.Object) bool { return !reflect.DeepEqual(o.JSON(), same[0].JSON()) }) {
			continue
		}
		for _, o := range same {
			again[o] = same
		}
	}
	return again
}

func (x *index) file(b Binding) {
	place := len(x.bindings)
	x.bindings = append(x.bindings, b)
	if name, later := b.Subject.templatedNamespaceAccount(); later {
		x.byTemplatedNamespace[name] = append(x.byTemplatedNamespace[name], place)
	}
	if Templated(b.Subject.Name) {
		x.templated = append(x.templated, place)
	}
	account, isAccount := b.Subject.Account()
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

// indexByObject returns the indexes into bindings by their objects.
func (x *index) indexByObject() map[*objects.Object][]int {
	all := map[*objects.Object][]int{}
	for i, b := range x.bindings {
		all[b.Object] = append(all[b.Object], i)
	}
	return all
}

// reached is an index into bindings, and the way in which the binding applies.
type reached struct {
	place     int
	via       string
	uncertain bool
}

// reach lists the bindings that apply to an identity, each once, in their order.
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
		// It can be any account of the name, so the accounts of every namespace count.
		add(x.byAccountName[account.Name], "", true)
		for _, place := range x.namespaceGroups {
			add([]int{place}, x.bindings[place].Subject.Name, true)
		}
	case isAccount:
		add(x.byAccount[account], "", false)
		add(x.byAccount[objects.Account{Name: account.Name}], "", true)
		for _, place := range x.byTemplatedNamespace[account.Name] {
			if same, ok := x.bindings[place].Subject.Account(); !ok || same != account {
				add([]int{place}, "", true)
			}
		}
	case who.User != "":
		add(x.byUser[who.User], "", false)
	}
	for _, group := range slices.Concat(who.Groups, x.memberships()[who.User]) {
		add(x.byGroup[group], group, false)
	}
	slices.SortStableFunc(hits, func(a, b reached) int { return cmp.Compare(a.place, b.place) })
	return slices.CompactFunc(hits, func(a, b reached) bool { return a.place == b.place })
}

// of lists the bindings of an identity in all folders.
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

// assignmentKey identifies the objects of one name that act as one identity.
type assignmentKey struct{ group, kind, namespace, name, identity string }

// assignment assigns the bindings of an identity to the namesakes that act as it. Both fields are nil if there is only one
// namesake.
type assignment struct {
	hits     []reached
	byObject *objects.Assignments
}

// apart reports whether only some of the bindings of an identity belong to an object, and others to its namesakes.
func (x *index) apart(from *objects.Object, who Identity) bool {
	return from != nil && x.unit.Kind == objects.PlainUnit && x.assignment(from, who).byObject != nil
}

func (x *index) assignment(from *objects.Object, who Identity) *assignment {
	question := assignmentKey{from.Group, from.Kind, from.Namespace, from.Name, who.key()}
	return x.assignments.get(question, func() *assignment { return x.assign(from, who) })
}

// near lists the bindings of an identity that belong to an object rather than to another object of its name that also acts
// as the identity.
func (x *index) near(from *objects.Object, who Identity) []Binding {
	r := x.assignment(from, who)
	if r.byObject == nil {
		return x.of(who)
	}
	var near []Binding
	for _, share := range r.byObject.Of(from) {
		b := x.binding(r.hits[share.Candidate])
		b.Tie = share.Tie
		near = append(near, b)
	}
	return near
}

func (x *index) assign(from *objects.Object, who Identity) *assignment {
	namesakes := x.unit.Namesakes(from)
	if len(namesakes) < 2 {
		return &assignment{}
	}
	r := &assignment{hits: x.reach(who)}
	objs := make([]*objects.Object, len(r.hits))
	for i, hit := range r.hits {
		objs[i] = x.bindings[hit.place].Object
	}
	r.byObject = objects.NewFolderIndex(x.consumers(namesakes, who)).Assign(objs)
	return r
}

// consumers returns the namesakes that act as an identity. Every extension of a name has the same synthetic user, so for
// users and groups these are all of them.
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

// memo caches computed values. It can be used by several goroutines.
type memo[K comparable, V any] struct{ values sync.Map }

func (m *memo[K, V]) get(key K, compute func() V) V {
	value, ok := m.values.Load(key)
	if !ok {
		value, _ = m.values.LoadOrStore(key, sync.OnceValue(compute))
	}
	return value.(func() V)()
}
