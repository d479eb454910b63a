package verify

import (
	"maps"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// comparison are a subject's bindings before and after, and the declared grants.
type comparison struct {
	who      string
	old, new []rbac.Binding
	// oldMore and newMore return the permissions from groups. They are needed only if something would be lost or gained,
	// because the groups themselves are compared separately.
	oldMore, newMore func() []effect
	mayLose, mayGain func(rbac.Grant) bool
	// blame reports whether a plan changes the subject's bindings or, with ofRole, a role.
	blame func(p *engine.Plan, ofRole bool) bool
}

// difference is what a subject gains and loses.
type difference struct{ gained, lost permission.Effect }

// compare returns what a subject gains and loses, by effect: another role with the same rules is no difference, the same
// role with other rules is one. Undeclared differences are violations of the plans that blame selects.
func (e *examiner) compare(c comparison) difference {
	had, has := effectOf(e.before, c.old), effectOf(e.after, c.new)
	d := difference{gained: has.beyond(c.oldMore, had), lost: had.beyond(c.newMore, has)}
	if !d.lost.Empty() {
		if lost := effectOf(e.before, except(c.old, c.mayLose)).beyond(c.newMore, has); !lost.Empty() {
			what, ofRole := cause(e.before, except(c.old, c.mayLose), c.new, has.all, lost)
			e.violation(func(p *engine.Plan) bool { return c.blame(p, ofRole) }, "%s would lose %s", c.who, what)
		}
	}
	if !d.gained.Empty() {
		declared := e.declared(c)
		if gained := has.beyond(c.oldMore, had, declared); !gained.Empty() {
			what, ofRole := cause(e.after, except(c.new, c.mayGain), c.old, had.all, gained)
			e.violation(func(p *engine.Plan) bool { return c.blame(p, ofRole) }, "%s would gain %s", c.who, what)
		}
	}
	return d
}

// declared returns the declared permissions of the bindings after the change. An existing role counts with its rules before
// the change, because no other rules were declared.
func (e *examiner) declared(c comparison) effect {
	var d effect
	for _, b := range c.new {
		g := rbac.Grant{Role: b.Role, Scope: b.Scope}
		if !c.mayGain(g) {
			continue
		}
		u := e.before
		if _, known, _ := rbac.RoleRulesOf(u, b.Role, b.Object); !known {
			u = e.after
		}
		role := roleEffect(u, g, b.Object)
		d.all.Include(role)
		d.certain.Include(role)
	}
	return d
}

// cause describes what causes a difference: the first grant that exists on this side only and is not covered on the other;
// if there is none, a role has changed, and it is the first of the different rules.
func cause(u *objects.Unit, here, there []rbac.Binding, covered, d permission.Effect) (what string, ofRole bool) {
	known := map[rbac.Grant]bool{}
	for _, g := range rbac.GrantsOf(there) {
		known[g] = true
	}
	for _, b := range here {
		g := rbac.Grant{Role: b.Role, Scope: b.Scope}
		if !known[g] && !roleEffect(u, g, b.Object).Without(covered).Empty() {
			return grantName(g), false
		}
	}
	return firstOf(d), true
}

// firstOf describes one of the permissions.
func firstOf(e permission.Effect) string {
	for _, scope := range permission.Scopes(e, permission.Effect{}) {
		where := ""
		if scope.Namespace != "" {
			where = " in " + scope.Namespace
		}
		for _, rules := range permission.RuleTexts(scope.Added, 3) {
			return rules + where
		}
		for _, role := range scope.AddedRoles {
			return role.Kind + " " + role.Name + where
		}
	}
	return "something"
}

// identities compares the direct grants of all subjects that can be affected.
func (e *examiner) identities() {
	e.inParts(len(e.affected), func(e *examiner, i int) { e.identity(e.affected[i]) })
}

// identity compares the direct grants of one subject.
func (e *examiner) identity(who affectedSubject) {
	s := who.subject
	old, new := byPlace(e.before, naming(e.before, s)), byPlace(e.after, naming(e.after, s))
	var total difference
	violations := len(e.violations)
	for _, place := range placesOf(old, new) {
		d := e.compare(comparison{
			who: subjectName(s), old: old[place], new: new[place],
			oldMore: func() []effect { return e.ofGroups(e.before, s, place) },
			newMore: func() []effect { return e.ofGroups(e.after, s, place) },
			mayLose: func(g rbac.Grant) bool { return e.losses[declaration{s, g}] },
			mayGain: func(g rbac.Grant) bool { return e.gains[declaration{s, g}] },
			blame:   func(p *engine.Plan, ofRole bool) bool { return e.blames(who, p, ofRole) },
		})
		total.gained.Include(d.gained)
		total.lost.Include(d.lost)
	}
	e.hasViolation[s] = len(e.violations) > violations
	e.noteIdentity(s, total)
}

// placesOf returns the places of two sets of bindings, sorted.
func placesOf(a, b map[string][]rbac.Binding) []string {
	places := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(places)
	return slices.Compact(places)
}
