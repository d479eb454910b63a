package access

import (
	"slices"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Holders is the answer to `who-can`.
type Holders struct {
	Request Asked
	Views   []ViewHolders
	// Default are the groups of all users that every cluster allows it to; default grants to Kubernetes' own components are
	// left out.
	Default  []Grant
	Doubts   []Doubt
	Warnings []string
	// elsewhere is set if applications with objects from other repositories were not read.
	elsewhere bool
}

func (h Holders) coverage() finding.Coverage {
	c := finding.Known(!h.Doubtful())
	c.Elsewhere = h.elsewhere
	return c
}

// ViewHolders are the holders in one unit, sorted by subject.
type ViewHolders struct {
	View    View
	Holders []Grant
	// Possible are the grants by roles of other units, if one cluster gets both, which is unknown.
	Possible []Grant
	// Named are the grants that are limited to objects with some names, if the question has no name.
	Named []NamedGrant
}

// NamedGrant is a grant that is limited to objects with some names.
type NamedGrant struct {
	Grant
	Names []string
}

// Any returns whether any subject can do it.
func (h Holders) Any() bool {
	return len(h.Default) > 0 || slices.ContainsFunc(h.Views, func(v ViewHolders) bool { return len(v.Holders) > 0 })
}

// Doubtful returns whether anything is unknown that could add to the answer.
func (h Holders) Doubtful() bool {
	return len(h.Doubts) > 0 || slices.ContainsFunc(h.Views, func(v ViewHolders) bool { return len(v.Possible) > 0 })
}

// Who lists the subjects that can do something, in each unit, and the groups of all users that can in every cluster.
func (s Scene) Who(r Asked) Holders {
	h := Holders{Request: r, Warnings: s.Tests()}
	units := s.units()
	for _, view := range s.views(units, rbac.Identity{}) {
		holders, unknown, newer := rbac.WhoCan(view.Unit, r.Request)
		v := ViewHolders{View: view}
		h.Doubts = append(h.Doubts, in(view.Unit, missingHolders(view.Unit, holders))...)
		for _, holder := range holders {
			v.Holders = append(v.Holders, NewGrant(view.Unit, holder.Binding, holder.Rule, holder.Source))
		}
		v.Possible = view.possibleHolders(r.Request, holders)
		for _, holder := range rbac.WhoCanNamed(view.Unit, r.Request) {
			v.Named = append(v.Named, NamedGrant{NewGrant(view.Unit, holder.Binding, holder.Rule, holder.Source), holder.Names})
		}
		h.Views = append(h.Views, v)
		h.Doubts = append(h.Doubts, DoubtsAbout(view, unknown)...)
		h.Doubts = append(h.Doubts, in(view.Unit, newerDoubts(newer))...)
	}
	nothing := s.Repository.EmptyUnit()
	for _, holder := range rbac.DefaultHolders(nothing, r.Request) {
		if allUsers[holder.Subject.Name] {
			h.Default = append(h.Default, NewGrant(nothing, holder.Binding, holder.Rule, holder.Source))
		}
	}
	h.Doubts = joined(h.Doubts, s.UnreadSources(), s.NotRead(units), s.general())
	others := s.Elsewhere()
	h.Warnings, h.elsewhere = append(h.Warnings, others...), len(others) > 0
	return h
}

// missingHolders returns doubts about the holders of which all bindings may be missing from the cluster.
func missingHolders(unit *objects.Unit, holders []rbac.Holder) []Doubt {
	certain := map[rbac.Subject]bool{}
	doubts := map[rbac.Subject][]Doubt{}
	for _, h := range holders {
		doubt, may := MayBeMissing(unit, h.Binding)
		certain[h.Subject] = certain[h.Subject] || !may
		if may {
			doubts[h.Subject] = append(doubts[h.Subject], doubt)
		}
	}
	var all []Doubt
	for _, h := range holders {
		if !certain[h.Subject] {
			all = append(all, doubts[h.Subject]...)
			certain[h.Subject] = true
		}
	}
	return all
}

// unknownHolders returns one doubt for each role, or binding, whose holders are unknown.
func unknownHolders(unit *objects.Unit, unknown []rbac.Binding) []Doubt {
	var doubts []Doubt
	granted := map[rbac.RoleRef][]rbac.Binding{}
	var roles []rbac.RoleRef
	for _, b := range unknown {
		if _, known, partial := rbac.RoleRulesOf(unit, b.Role, b.Object); known && !partial {
			doubts = append(doubts, Doubt{Position: b.Object.Position(nil), Message: BindingName(b) + " would allow it, but " + uncertainty(b)})
			continue
		}
		if granted[b.Role] == nil {
			roles = append(roles, b.Role)
		}
		granted[b.Role] = append(granted[b.Role], b)
	}
	for _, ref := range roles {
		bindings := granted[ref]
		doubt := added(ref, bindings)
		if _, known, _ := rbac.RoleRulesOf(unit, ref, bindings[0].Object); !known {
			var malformed bool
			if doubt, malformed = malformedRole(ref, bindings); !malformed {
				doubt = aboutRole(ref, bindings, unknownRole(unit, ref, bindings))
			}
		}
		if more := len(distinctObjects(bindings)) - 1; more > 0 {
			doubt.Message += ", as " + words.CountOf(more, "more binding does", "more bindings do")
		}
		doubts = append(doubts, doubt)
	}
	return doubts
}

func distinctObjects(bindings []rbac.Binding) map[*objects.Object]bool {
	objects := map[*objects.Object]bool{}
	for _, b := range bindings {
		objects[b.Object] = true
	}
	return objects
}
