package rules

import (
	"slices"

	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules/metadata"
)

// Interest holds the kinds of objects that a set of rules needs, in the form that wordfilter.New takes: kinds without
// their group, each with words; a document that contains none of them is not needed. Without words every document is
// needed.
type Interest struct {
	// Judged are the kinds without which there is nothing to do: those on which rules are evaluated, or for rules that
	// judge only objects connected to other kinds, those kinds.
	Judged map[string][]string
	// Context are the kinds that the rules query with the built-in functions.
	Context map[string][]string
	// Connected are kinds of which only those objects matter that names connect to a judged object, through any number of
	// steps: an extension's account, the bindings of the account, their roles. A repository can contain thousands of
	// others.
	Connected map[string][]string
}

// connectedKinds are found by name from objects that refer to them, or they refer to these.
var connectedKinds = []string{"ServiceAccount", "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"}

// Interest returns the interest of the rules of these names. With kinds, only rules that judge one of them count: the
// further interest once the existing kinds are known.
func (r *Registry) Interest(enabled []string, kinds ...string) Interest {
	i := Interest{Judged: map[string][]string{}, Context: map[string][]string{}, Connected: map[string][]string{}}
	for _, name := range enabled {
		rule := r.find(name)
		if rule != nil && (len(kinds) == 0 || startsFrom(rule, kinds)) {
			i.add(rule)
		}
	}
	for kind := range i.Context {
		delete(i.Connected, kind)
	}
	return i
}

// Join adds the interest of other rules.
func (i Interest) Join(more Interest) {
	for _, pair := range [][2]map[string][]string{{i.Judged, more.Judged}, {i.Context, more.Context}, {i.Connected, more.Connected}} {
		for kind, words := range pair[1] {
			join(pair[0], kind, words)
		}
	}
	for kind := range i.Context {
		delete(i.Connected, kind)
	}
}

// Starting returns the rules that can find something where documents of these kinds are judged: one with ConnectedTo needs
// one of these kinds.
func (r *Registry) Starting(enabled []string, kinds map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(enabled), func(name string) bool {
		rule := r.find(name)
		if rule == nil || len(rule.ConnectedTo) == 0 {
			return false
		}
		for kind := range rule.ConnectedTo {
			if kinds[metadata.BareKind(kind)] {
				return false
			}
		}
		return true
	})
}

// Conditional is a rule that only has findings in documents for which a condition holds.
type Conditional struct {
	Name string
	// Kinds are the kinds it judges, with its words, in the form of [Interest].
	Kinds map[string][]string
	When  []string
}

// Conditional splits rules into those with conditions, and the names of the others. ok is false if a user's own rule is
// among them, which can query anything: then nothing is split.
func (r *Registry) Conditional(enabled []string) (conditional []Conditional, others []string, ok bool) {
	for _, name := range enabled {
		rule := r.find(name)
		switch {
		case rule == nil:
		case rule.User:
			return nil, enabled, false
		case len(rule.SkipUnless) == 0 || len(rule.ConnectedTo) > 0 || rule.Scope != metadata.ScopeObject:
			others = append(others, name)
		default:
			c := Conditional{Name: name, Kinds: map[string][]string{}, When: rule.SkipUnless}
			for _, kind := range rule.Kinds {
				join(c.Kinds, metadata.BareKind(kind), rule.Words)
			}
			conditional = append(conditional, c)
		}
	}
	return conditional, others, true
}

func (i Interest) add(rule *metadata.Rule) {
	if rule.All {
		i.Judged[wordfilter.AnyKind] = nil
	}
	for _, kind := range rule.Kinds {
		if len(rule.ConnectedTo) > 0 {
			join(i.Connected, metadata.BareKind(kind), rule.Words)
		} else {
			join(i.Judged, metadata.BareKind(kind), rule.Words)
		}
	}
	for kind, words := range rule.ConnectedTo {
		join(i.Judged, metadata.BareKind(kind), words)
	}
	for _, kind := range rule.Reads {
		i.addContext(metadata.BareKind(kind), rule.User || rule.ReadsWorkloads)
	}
	for _, kind := range rule.ReadsAll {
		i.Context[metadata.BareKind(kind)] = nil
	}
}

// addContext adds a kind that a rule queries. For a user's own rule, neither names nor words limit the objects, and for a
// rule that queries all workloads only their mounts matter.
func (i Interest) addContext(kind string, all bool) {
	words, isSign := olm.SignalKinds()[kind]
	switch {
	case all:
		i.Context[kind] = nil
	case slices.Contains(connectedKinds, kind):
		i.Connected[kind] = nil
	case isSign:
		join(i.Context, kind, words)
	default:
		i.Context[kind] = nil
	}
}

// join adds words to those of a kind. No words stand for all documents.
func join(kinds map[string][]string, kind string, words []string) {
	known, there := kinds[kind]
	if len(words) == 0 || there && len(known) == 0 {
		kinds[kind] = nil
		return
	}
	kinds[kind] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(known, words))))
}

// startsFrom reports whether the rule is evaluated on one of the kinds, or on objects that are connected to one.
func startsFrom(r *metadata.Rule, kinds []string) bool {
	for kind := range r.ConnectedTo {
		if slices.Contains(kinds, metadata.BareKind(kind)) {
			return true
		}
	}
	return r.All || slices.ContainsFunc(r.Kinds, func(k string) bool { return slices.Contains(kinds, metadata.BareKind(k)) })
}
