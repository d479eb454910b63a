package restmap

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Resource describes how the objects of a kind are served.
type Resource struct {
	// Group is the API group, "" for the core group.
	Group, Kind string
	// Plural is the name in URLs and in RBAC rules: deployments. kubectl also accepts Singular and Short.
	Plural, Singular string
	Short            []string
	// Namespaced is false for cluster-scoped kinds.
	Namespaced bool
}

// Map maps kinds to resources: those of Kubernetes, of common extensions, and of the CustomResourceDefinitions that were
// added. It is not safe for several goroutines while definitions are added.
type Map struct {
	added *index
	// hidden are the known extensions that an added definition replaces.
	hidden map[*entry]bool
}

// New returns a map of the known kinds. It is cheap: the tables are read once, on first use.
func New() *Map {
	return &Map{added: newIndex(), hidden: map[*entry]bool{}}
}

// AddCRD adds the kind of a CustomResourceDefinition, as decoded from its manifest (v1 or v1beta1). It replaces an earlier
// definition, and a known extension, but never a kind of Kubernetes. A definition without names or scope, which an API
// server would refuse, is ignored.
func (m *Map) AddCRD(crd map[string]any) {
	r, ok := readCRD(crd)
	if !ok {
		return
	}
	if known, found := base().byKind[groupKind{r.Group, r.Kind}]; found {
		if known.rank != extensionRank {
			return
		}
		m.hidden[known] = true
	}
	if earlier, found := m.added.byKind[groupKind{r.Group, r.Kind}]; found {
		m.added.remove(earlier)
	}
	m.added.add(r, extensionRank)
}

// Kind returns the resource of a kind. ok is false for unknown kinds: neither name nor scope is guessed.
func (m *Map) Kind(group, kind string) (Resource, bool) {
	key := groupKind{group, kind}
	if e, found := m.added.byKind[key]; found {
		return e.copy(), true
	}
	if e, found := base().byKind[key]; found {
		return e.copy(), true
	}
	return Resource{}, false
}

// Argument returns the resource that a user names as for kubectl: a plural, singular, short name, or kind in any case,
// optionally followed by a group or the beginning of one (deployments.apps, deployments.v1.apps, storageclass.storage). Of
// several, the one whose group discovery lists first is chosen: the core group, then Kubernetes' own, then others by name.
// A full name takes precedence over a short one.
//
// Source: k8s.io/client-go/restmapper (shortcut expander) and k8s.io/apimachinery/pkg/api/meta (DefaultRESTMapper).
func (m *Map) Argument(arg string) (Resource, bool) {
	for _, reading := range readings(strings.ToLower(arg)) {
		if e, found := m.find(reading); found {
			return e.copy(), true
		}
	}
	return Resource{}, false
}

// reading is one interpretation of an argument. Without a group, any group matches.
type reading struct {
	name, group string
	anyGroup    bool
}

var versionPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)
})

// readings splits name.version.group and name.group, in the order in which kubectl tries them.
func readings(arg string) []reading {
	name, rest, dotted := strings.Cut(arg, ".")
	if !dotted {
		return []reading{{name: arg, anyGroup: true}}
	}
	all := []reading{{name: name, group: rest}}
	if version, group, found := strings.Cut(rest, "."); found && versionPattern().MatchString(version) {
		all = slices.Insert(all, 0, reading{name: name, group: group})
	}
	return all
}

func (m *Map) find(r reading) (*entry, bool) {
	exact := func(e *entry) bool { return r.anyGroup || e.Group == r.group }
	prefix := func(e *entry) bool { return r.group != "" && strings.HasPrefix(e.Group, r.group) }
	for _, inGroup := range []func(*entry) bool{exact, prefix} {
		for _, names := range []func(*index) map[string][]*entry{fullNames, shortNames} {
			if e, found := preferred(m.candidates(r.name, names, inGroup)); found {
				return e, true
			}
		}
	}
	return nil, false
}

func fullNames(x *index) map[string][]*entry  { return x.names }
func shortNames(x *index) map[string][]*entry { return x.short }

func (m *Map) candidates(name string, names func(*index) map[string][]*entry, accept func(*entry) bool) []*entry {
	var out []*entry
	for _, x := range []*index{m.added, base()} {
		for _, e := range names(x)[name] {
			if accept(e) && !m.hidden[e] {
				out = append(out, e)
			}
		}
	}
	return out
}

// Arguments returns the plural names of the known resources, with their groups except for the core group, sorted.
func Arguments() []string {
	var names []string
	for _, e := range base().byKind {
		name := e.Plural
		if e.Group != "" {
			name += "." + e.Group
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// copy prevents callers from changing shared values.
func (e *entry) copy() Resource {
	r := e.Resource
	r.Short = slices.Clone(r.Short)
	return r
}

// KindsIn returns the known kinds of a group, sorted: those of Kubernetes, and if extensions is set those of other projects.
func KindsIn(group string, extensions bool) []string {
	var kinds []string
	for key, e := range base().byKind {
		if key.group == group && (extensions || e.rank != extensionRank) {
			kinds = append(kinds, key.kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// GroupsOf returns the groups in which a kind is known, sorted.
func GroupsOf(kind string) []string {
	var groups []string
	for key := range base().byKind {
		if key.kind == kind {
			groups = append(groups, key.group)
		}
	}
	slices.Sort(groups)
	return groups
}

// Groups returns the known groups, sorted.
func Groups() []string {
	var groups []string
	for key := range base().byKind {
		groups = append(groups, key.group)
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}
