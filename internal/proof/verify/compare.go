package verify

import (
	"maps"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// comparison is somebody's bindings before and after, and what was declared.
type comparison struct {
	who      string
	old, new []rbac.Binding
	// These give him more, by groups, which matters where something else would be lost or gained: what they grant is
	// compared for the groups themselves.
	oldMore, newMore func() []effect
	mayLose, mayGain func(rbac.Grant) bool
	// blame tells which plans have a hand in what the bindings grant him or, with ofRole, in what a role allows.
	blame func(p *engine.Plan, ofRole bool) bool
}

// difference is what somebody may do more and less than before.
type difference struct{ gained, lost permission.Effect }

// compare finds what somebody gains and loses, by effect: another role with the same rules is no difference, the same
// role with other rules is one. What nobody declared is the fault of the plans that the conditions hold for.
func (e *examiner) compare(c comparison) difference {
	had, has := effectOf(e.before, c.old), effectOf(e.after, c.new)
	d := difference{gained: has.beyond(c.oldMore, had), lost: had.beyond(c.newMore, has)}
	if !d.lost.Empty() {
		if lost := effectOf(e.before, except(c.old, c.mayLose)).beyond(c.newMore, has); !lost.Empty() {
			what, ofRole := culprit(e.before, except(c.old, c.mayLose), c.new, has.all, lost)
			e.fault(func(p *engine.Plan) bool { return c.blame(p, ofRole) }, "%s would lose %s", c.who, what)
		}
	}
	if !d.gained.Empty() {
		declared := e.declared(c)
		if gained := has.beyond(c.oldMore, had, declared); !gained.Empty() {
			what, ofRole := culprit(e.after, except(c.new, c.mayGain), c.old, had.all, gained)
			e.fault(func(p *engine.Plan) bool { return c.blame(p, ofRole) }, "%s would gain %s", c.who, what)
		}
	}
	return d
}

// declared is what the bindings afterwards grant that was declared. A role that was there counts with the rules that it
// had: nobody has declared others.
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

// culprit says in a few words what makes a difference: the first grant that is there on this side only and is not covered
// by what is on the other; where there is none, a role has changed, and it is the first of the rules that differ.
func culprit(u *objects.Unit, here, there []rbac.Binding, covered, d permission.Effect) (what string, ofRole bool) {
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

// firstOf says one thing of what is allowed.
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

// identities compares what everybody is granted by name who could be concerned.
func (e *examiner) identities() {
	for _, who := range e.concerned {
		s := who.subject
		old, new := byPlace(e.before, naming(e.before, s)), byPlace(e.after, naming(e.after, s))
		var total difference
		faults := len(e.faults)
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
		e.isFaulty[s] = len(e.faults) > faults
		e.noteIdentity(s, total)
	}
}

// placesOf lists the places of two sets of bindings, sorted.
func placesOf(a, b map[string][]rbac.Binding) []string {
	places := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(places)
	return slices.Compact(places)
}
