package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Doubt is something that is not known and could change an answer.
type Doubt struct {
	// Position is zero where there is no place to point at.
	Position objects.Position
	Message  string
	// Malformed tells that what stands there is broken: the question cannot be answered before that is mended.
	Malformed bool
	// Added tells that all is known that the repository has, and that only a role outside of it could add to a role: what
	// aggregation always leaves open. Role is that role.
	Added bool
	Role  rbac.RoleRef
	// Units is in how many deployment units it is so; 0 where it is about none.
	Units int

	unit *objects.Unit
}

// joined puts doubts together: what is said in several units once, with their number, and what aggregation leaves open at
// the end.
func joined(lists ...[]Doubt) []Doubt {
	type place struct {
		objects.Position
		message string
	}
	type where struct {
		place
		unit *objects.Unit
	}
	var all []Doubt
	at, counted := map[place]int{}, map[where]bool{}
	for _, d := range slices.Concat(lists...) {
		key := place{d.Position, d.Message}
		i, known := at[key]
		if !known {
			i = len(all)
			at[key] = i
			all = append(all, d)
		}
		if d.unit != nil && !counted[where{key, d.unit}] {
			counted[where{key, d.unit}] = true
			all[i].Units++
		}
	}
	slices.SortStableFunc(all, func(a, b Doubt) int { return order(a.Added) - order(b.Added) })
	return all
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

// in says of which unit doubts are.
func in(unit *objects.Unit, doubts []Doubt) []Doubt {
	for i := range doubts {
		doubts[i].unit = unit
	}
	return doubts
}

// Malformed gives the doubts about what is broken.
func Malformed(doubts []Doubt) []Doubt {
	return slices.DeleteFunc(slices.Clone(doubts), func(d Doubt) bool { return !d.Malformed })
}

// MalformedRoles gives a doubt for each role that bindings grant and that is broken.
func MalformedRoles(bindings []rbac.Binding) []Doubt {
	var doubts []Doubt
	seen := map[rbac.RoleRef]bool{}
	for _, b := range bindings {
		if seen[b.Role] {
			continue
		}
		seen[b.Role] = true
		if doubt, malformed := malformedRole(b.Role, bindings); malformed {
			doubts = append(doubts, doubt)
		}
	}
	return doubts
}

// malformedRole says what is wrong with a role whose rules are not known; ok is false where that has another reason.
func malformedRole(ref rbac.RoleRef, bindings []rbac.Binding) (doubt Doubt, ok bool) {
	i := slices.IndexFunc(bindings, func(b rbac.Binding) bool { return b.Role == ref })
	if i < 0 || bindings[i].RoleObject == nil {
		return Doubt{}, false
	}
	var malformed *rbac.MalformedError
	if !errors.As(rbac.Problem(bindings[i].RoleObject), &malformed) {
		return Doubt{}, false
	}
	return Doubt{
		Position: malformed.Position, Malformed: true,
		Message: fmt.Sprintf("the rules of %s, which %s grants, cannot be told: %s", RoleName(ref), BindingName(bindings[i]), malformed.Reason),
	}, true
}

func doubtsOf(view View, bindings []rbac.Binding, answer rbac.Answer) []Doubt {
	var doubts []Doubt
	for _, ref := range answer.Unknown {
		if doubt, malformed := malformedRole(ref, bindings); malformed {
			doubts = append(doubts, doubt)
			continue
		}
		doubts = append(doubts, aboutRole(ref, bindings, unknownRole(ref, bindings)))
	}
	for _, ref := range answer.Partial {
		doubts = append(doubts, added(ref, bindings))
	}
	for _, b := range answer.Uncertain {
		doubts = append(doubts, Doubt{Position: b.Object.Position(nil), Message: BindingName(b) + " would allow it, and " + uncertainty(b)})
	}
	return in(view.Unit, doubts)
}

// added says that roles outside of the repository may add to a role.
func added(ref rbac.RoleRef, bindings []rbac.Binding) Doubt {
	d := aboutRole(ref, bindings, addedMessage+RoleName(ref))
	d.Added, d.Role = true, ref
	return d
}

const addedMessage = "roles outside of the repository may add to "

// aboutRole points at the binding that grants the role.
func aboutRole(ref rbac.RoleRef, bindings []rbac.Binding, message string) Doubt {
	i := slices.IndexFunc(bindings, func(b rbac.Binding) bool { return b.Role == ref })
	if i < 0 {
		return Doubt{Message: message}
	}
	return Doubt{Position: bindings[i].Object.Position(nil), Message: message + ", which " + BindingName(bindings[i]) + " grants"}
}

func unknownRole(ref rbac.RoleRef, bindings []rbac.Binding) string {
	name := RoleName(ref)
	i := slices.IndexFunc(bindings, func(b rbac.Binding) bool { return b.Role == ref })
	switch {
	case i >= 0 && len(bindings[i].RoleTie) > 0:
		return fmt.Sprintf("several files define %s", name)
	case i >= 0 && bindings[i].RoleObject != nil:
		return fmt.Sprintf("the rules of %s cannot be told", name)
	}
	return fmt.Sprintf("the repository does not hold %s", name)
}

func uncertainty(b rbac.Binding) string {
	switch {
	case len(b.Tie) > 0:
		return "it lies as near to each of these, so that it cannot be told with which of them it is applied: " + filesOf(b.Tie)
	case b.Refused != "":
		return "the API server refuses it for " + b.Refused
	case b.Again:
		return "it is there more than once, so that only one of them stays"
	case b.Scope == rbac.UnknownNamespace:
		return "its manifest names no namespace"
	case rbac.Templated(b.Scope):
		return fmt.Sprintf("its namespace is filled in later: %s", b.Scope)
	}
	return fmt.Sprintf("it is not known whether its subject %s is the one", SubjectName(b.Subject))
}

// filesOf lists where objects lie, as far as a line of text goes.
func filesOf(objects []*objects.Object) string {
	const most = 3
	var files []string
	for i, o := range objects {
		if i == most && len(objects) > most+1 {
			files = append(files, fmt.Sprintf("and %d more", len(objects)-i))
			break
		}
		files = append(files, o.File)
	}
	return strings.Join(files, ", ")
}

// overlays says of a yes that it is one by the files as they stand, when every unit that allows it changes them.
func (s Scene) overlays(views []ViewVerdict) []Doubt {
	var doubts []Doubt
	for _, v := range views {
		p, changed := loader.Transformed(v.View.Unit)
		switch {
		case v.Allowed && (!changed || v.Grant.Binding.Default):
			return nil
		case v.Allowed:
			doubts = append(doubts, Doubt{Position: p.Position, Message: p.Message})
		}
	}
	return joined(doubts)
}

// passing says of a yes that the binding may be gone, or never come, when every unit that allows it has only such a one.
func passing(views []ViewVerdict) []Doubt {
	var doubts []Doubt
	for _, v := range views {
		if !v.Allowed {
			continue
		}
		b := v.Grant.Binding
		if b.Passing == "" {
			return nil
		}
		doubts = append(doubts, Doubt{Position: b.Object.Position(nil),
			Message: fmt.Sprintf("%s may not be on the cluster, or not stay there, for its %s", BindingName(b), b.Passing)})
	}
	return joined(doubts)
}

// outside says when the plain files that were not selected would allow it, or may.
func (s Scene) outside(who rbac.Identity, r rbac.Request) []Doubt {
	var found []Doubt
	asked := s.units()
	for _, unit := range s.Repository.Units {
		if unit.Kind != objects.PlainUnit || slices.Contains(asked, unit) {
			continue
		}
		answer := rbac.Ask(unit, nil, who, r)
		if answer.Allowed {
			found = append(found, Doubt{Position: answer.Binding.Object.Position(nil),
				Message: BindingName(answer.Binding) + " allows it, and lies outside of the path that was asked about"})
			continue
		}
		answer.Partial = nil
		found = append(found, doubtsOf(View{Unit: unit}, rbac.BindingsFor(unit, nil, who), answer)...)
	}
	return found
}

// NotRead are the files that could matter and were not read, and what of the units is not applied as it stands.
func (s Scene) NotRead(units []*objects.Unit) []Doubt {
	problems := s.problems(units)
	doubts := make([]Doubt, len(problems))
	for i, p := range problems {
		doubts[i] = Doubt{Position: p.Position, Message: p.Message}
	}
	return doubts
}

// problems are those of the files that the user asked about, or that a unit applies, and those of the units.
func (s Scene) problems(units []*objects.Unit) []loader.Problem {
	var all []loader.Problem
	for _, p := range s.Repository.NotRead {
		applied := func(u *objects.Unit) bool { return lists(u, p.Position.File) }
		if s.selects(p) || slices.ContainsFunc(units, applied) {
			all = append(all, p)
		}
	}
	for _, unit := range units {
		all = append(all, s.Repository.OfUnit(unit)...)
	}
	loader.SortProblems(all)
	return slices.CompactFunc(all, func(a, b loader.Problem) bool { return a.Position == b.Position && a.Message == b.Message })
}

// selects tells whether a problem is about a file that the user asked about, be it one of several.
func (s Scene) selects(p loader.Problem) bool {
	return s.Selected(p.Position.File) ||
		slices.ContainsFunc(p.Related, func(place loader.Place) bool { return s.Selected(place.Position.File) })
}

// lists tells whether a kustomization of a unit lists a file.
func lists(unit *objects.Unit, file string) bool {
	return slices.ContainsFunc(unit.Kustomizations, func(k *objects.Kustomization) bool {
		_, listed := k.Lists(file)
		return listed
	})
}

// Unreadable tells whether reading one of the files failed that the user asked about.
func (s Scene) Unreadable() []loader.Problem {
	var failed []loader.Problem
	for _, p := range s.Repository.NotRead {
		if p.Unreadable && s.Selected(p.Position.File) {
			failed = append(failed, p)
		}
	}
	return failed
}
