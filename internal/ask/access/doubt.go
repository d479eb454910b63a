package access

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Doubt is an unknown that could change an answer.
type Doubt struct {
	// Position is zero if there is no place to report.
	Position objects.Position
	Message  string
	// Added is true if everything in the repository is known and only a role outside it could add to a role, which is always
	// possible for aggregated roles. Role is that role.
	Added bool
	Role  rbac.RoleRef
	// Units is the number of deployment units with this doubt; 0 if it is not about a unit.
	Units int

	unit *objects.Unit
}

// joined merges lists of doubts: a doubt of several units is listed once, with their number, and doubts about aggregation
// come last.
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

// in assigns doubts to a unit.
func in(unit *objects.Unit, doubts []Doubt) []Doubt {
	for i := range doubts {
		doubts[i].unit = unit
	}
	return doubts
}

// MalformedRoles returns a doubt for each invalid role that bindings grant.
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

// malformedRole returns the doubt about a role with invalid rules; ok is false if its rules are unknown for another reason.
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
		Position: malformed.Position,
		Message:  fmt.Sprintf("the rules of %s, which %s grants, cannot be read: %s", RoleName(ref), BindingName(bindings[i]), malformed.Reason),
	}, true
}

func doubtsOf(view View, bindings []rbac.Binding, answer rbac.Answer) []Doubt {
	var doubts []Doubt
	for _, ref := range answer.Unknown {
		if doubt, malformed := malformedRole(ref, bindings); malformed {
			doubts = append(doubts, doubt)
			continue
		}
		doubts = append(doubts, aboutRole(ref, bindings, unknownRole(view.Unit, ref, bindings)))
	}
	for _, ref := range answer.Partial {
		doubts = append(doubts, added(ref, bindings))
	}
	for _, b := range answer.Uncertain {
		doubts = append(doubts, Doubt{Position: b.Object.Position(nil), Message: BindingName(b) + " would allow it, but " + uncertainty(b)})
	}
	return in(view.Unit, append(doubts, newerDoubts(answer.Newer)...))
}

// newerDoubts returns one doubt for each binding that would allow a request in a newer version of Kubernetes.
func newerDoubts(newer []rbac.NewerGrant) []Doubt {
	var doubts []Doubt
	for _, n := range newer {
		d := Doubt{Message: fmt.Sprintf("%s, which %s grants, allows it in Kubernetes %s and later, and %s",
			RoleName(n.Binding.Role), BindingName(n.Binding), n.Since, versionUnknown)}
		if !n.Binding.Default {
			d.Position = n.Binding.Object.Position(nil)
		}
		doubts = append(doubts, d)
	}
	return doubts
}

// versionUnknown says that the target does not determine the version, and how to set one that does.
const versionUnknown = "the version of the cluster is unknown: a target such as ocp-4.20 determines it"

// added returns the doubt that roles outside the repository can add to a role.
func added(ref rbac.RoleRef, bindings []rbac.Binding) Doubt {
	d := aboutRole(ref, bindings, addedMessage+RoleName(ref))
	d.Added, d.Role = true, ref
	return d
}

const addedMessage = "roles outside the repository can add to "

// aboutRole returns a doubt at the binding that grants the role.
func aboutRole(ref rbac.RoleRef, bindings []rbac.Binding, message string) Doubt {
	i := slices.IndexFunc(bindings, func(b rbac.Binding) bool { return b.Role == ref })
	if i < 0 {
		return Doubt{Message: message}
	}
	return Doubt{Position: bindings[i].Object.Position(nil), Message: message + ", which " + BindingName(bindings[i]) + " grants"}
}

// unknownRole says what is not known of a role. Another cluster can have a role that this one does not get.
func unknownRole(unit *objects.Unit, ref rbac.RoleRef, bindings []rbac.Binding) string {
	name := RoleName(ref)
	i := slices.IndexFunc(bindings, func(b rbac.Binding) bool { return b.Role == ref })
	switch {
	case i >= 0 && len(bindings[i].RoleTie) > 0:
		return fmt.Sprintf("several files define %s", name)
	case i >= 0 && bindings[i].RoleObject != nil:
		return fmt.Sprintf("the rules of %s cannot be read", name)
	case unit.Kind == objects.ClusterUnit && !unit.Possible:
		return fmt.Sprintf("for cluster %s, the repository does not contain %s", unit.Name, name)
	}
	return fmt.Sprintf("the repository does not contain %s", name)
}

func uncertainty(b rbac.Binding) string {
	switch {
	case len(b.Tie) > 0:
		return "it is equally near to each of these, so it is unknown with which one it is applied: " + filesOf(b.Tie)
	case b.Refused != "":
		return RefusedText(b)
	case b.Duplicate:
		return "it exists more than once, and only one of them takes effect"
	case b.Scope == rbac.UnknownNamespace:
		return "its manifest sets no namespace"
	case rbac.Templated(b.Scope):
		return fmt.Sprintf("its namespace is substituted later: %s", b.Scope)
	}
	return fmt.Sprintf("it is unknown whether its subject %s is the same", SubjectName(b.Subject))
}

// RefusedText is the remark about a binding that the API server rejects.
func RefusedText(b rbac.Binding) string { return "the API server rejects it because of " + b.Refused }

// filesOf lists the files of objects, shortened to fit on a line.
func filesOf(objects []*objects.Object) string {
	const maxFiles = 3
	var files []string
	for i, o := range objects {
		if i == maxFiles && len(objects) > maxFiles+1 {
			files = append(files, fmt.Sprintf("and %d more", len(objects)-i))
			break
		}
		files = append(files, o.File)
	}
	return strings.Join(files, ", ")
}

// overlays returns doubts about an answer "yes" that holds for the files as written, if every unit that allows it
// transforms them.
func (s Scene) overlays(views []ViewVerdict) []Doubt {
	var doubts []Doubt
	for _, v := range views {
		unit := v.View.Having(v.Grant.Binding.Object).Unit
		p, changed := s.transformed(unit)
		if !changed && v.Allowed {
			p, changed = s.refused(v, unit)
		}
		switch {
		case v.Allowed && (!changed || v.Grant.Binding.Default):
			return nil
		case v.Allowed:
			doubts = append(doubts, Doubt{Position: p.Position, Message: p.Message})
		}
	}
	return joined(doubts)
}

// refused returns why Argo CD refuses to apply the binding that allows a request as the account of a project: for every application that applies its
// unit. What the projects themselves refuse is among the bindings that may be missing.
func (s Scene) refused(v ViewVerdict, unit *objects.Unit) (p loader.Problem, is bool) {
	o := v.Grant.Binding.Object
	apps := s.Repository.Applications.Of(unit)
	if _, withheld := unit.Withheld(o); o == nil || len(apps) == 0 || withheld {
		return p, false
	}
	object := gitops.NewObject{Group: o.Group, Kind: o.Kind, Name: o.Name}
	if o.Kind == "RoleBinding" {
		object.Namespace = cmp.Or(o.Namespace, unit.Namespace)
	}
	for _, a := range apps {
		permission := s.Repository.Applications.Result.CanCreate(a, unit, object)
		if a.Tool != gitops.ArgoCD || permission.Verdict != gitops.Denied {
			return p, false
		}
		p = loader.Problem{Position: permission.Location.Position(), Message: fmt.Sprintf("Argo CD refuses to apply %s: %s", BindingName(v.Grant.Binding), permission.Why)}
	}
	return p, true
}

// transformed returns why what a unit applies is not known: it is not built, or it is a chart with its own values, and what renders it with others is
// not built.
func (s Scene) transformed(unit *objects.Unit) (p loader.Problem, changed bool) {
	if p, changed = loader.Transformed(unit); changed || unit.Kind != objects.ChartUnit {
		return p, changed
	}
	renders := func(r objects.Rendering) bool { return r.Chart == unit.Root }
	for _, other := range s.Repository.Units {
		if other != unit && other.NotBuilt && len(other.Problems) > 0 && slices.ContainsFunc(other.Renderings, renders) {
			last := other.Problems[len(other.Problems)-1]
			return loader.Problem{Position: last.Position, Message: last.Message}, true
		}
	}
	return p, false
}

// passing returns doubts about an answer "yes" that only depends on bindings that may be missing from the cluster.
func passing(views []ViewVerdict) []Doubt {
	var doubts []Doubt
	for _, v := range views {
		if !v.Allowed {
			continue
		}
		doubt, may := MayBeMissing(v.View.Unit, v.Grant.Binding)
		if !may {
			return nil
		}
		doubts = append(doubts, doubt)
	}
	return doubts
}

// MayBeMissing returns the doubt about a binding that may be missing from the cluster.
func MayBeMissing(unit *objects.Unit, b rbac.Binding) (d Doubt, may bool) {
	why, may := b.Missing(unit)
	if !may {
		return Doubt{}, false
	}
	return Doubt{Position: why.Position, Message: BindingName(b) + " may be missing or different on the cluster: " + why.Message}, true
}

// outside returns doubts about the plain files that were not selected but allow the request, or could.
func (s Scene) outside(who rbac.Identity, r rbac.Request) []Doubt {
	var found []Doubt
	asked := s.units()
	for _, unit := range s.Repository.Scopes() {
		if unit.Kind != objects.PlainUnit || slices.Contains(asked, unit) {
			continue
		}
		answer := rbac.Ask(unit, nil, who, r)
		if answer.Allowed {
			found = append(found, Doubt{Position: answer.Binding.Object.Position(nil),
				Message: BindingName(answer.Binding) + " allows it, but is outside the given path"})
			continue
		}
		answer.Partial = nil
		found = append(found, doubtsOf(View{Unit: unit}, rbac.BindingsFor(unit, nil, who), answer)...)
	}
	return found
}

// Tests returns a warning about bindings that count for no answer: those in data of tests.
func (s Scene) Tests() []string {
	files := slices.DeleteFunc(slices.Clone(s.Repository.Tests), func(file string) bool { return !s.Selected(file) })
	if len(files) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("bindings in data of tests are not counted, because nothing applies them: %s (`tests:` in .salint.yaml decides what such data is)",
		words.First(mostTests, files))}
}

// mostTests is how many files with data of tests are named.
const mostTests = 3

// NotRead returns doubts about files that could matter and were not read, and about units that are applied in an unknown
// form.
func (s Scene) NotRead(units []*objects.Unit) []Doubt {
	var doubts []Doubt
	for _, message := range s.Repository.Gaps {
		doubts = append(doubts, Doubt{Message: message})
	}
	for _, p := range s.problems(units) {
		doubts = append(doubts, Doubt{Position: p.Position, Message: p.Message})
	}
	return doubts
}

// problems returns the problems of the selected files, of the files that a unit applies, and of the units.
func (s Scene) problems(units []*objects.Unit) []loader.Problem {
	var all []loader.Problem
	for _, p := range s.Repository.NotRead {
		applied := func(u *objects.Unit) bool { return lists(u, p.Position.File) }
		if s.selects(p) || slices.ContainsFunc(units, applied) {
			all = append(all, p)
		}
	}
	for _, unit := range units {
		for _, part := range unit.Parts() {
			all = append(all, s.Repository.OfUnit(part)...)
		}
	}
	loader.SortProblems(all)
	return slices.CompactFunc(all, func(a, b loader.Problem) bool { return a.Position == b.Position && a.Message == b.Message })
}

// selects returns whether a problem is about a selected file, even if it is about several.
func (s Scene) selects(p loader.Problem) bool {
	return s.Selected(p.Position.File) ||
		slices.ContainsFunc(p.Related, func(place loader.Place) bool { return s.Selected(place.Position.File) })
}

// lists returns whether a kustomization of a unit lists a file.
func lists(unit *objects.Unit, file string) bool {
	return slices.ContainsFunc(unit.Parts(), func(part *objects.Unit) bool {
		return slices.ContainsFunc(part.Kustomizations, func(k *objects.Kustomization) bool {
			_, listed := k.Lists(file)
			return listed
		})
	})
}
