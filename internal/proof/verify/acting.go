package verify

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// place tells extensions apart without counting documents, which come and go: by file and identity, and where a file has
// several of one identity, by their order.
type place struct {
	file string
	id   engine.ObjectName
	nth  int
}

func placeOf(o *objects.Object) place { return place{file: o.File, id: identityOf(o)} }

func extensionsOf(u *objects.Unit) (map[place]*objects.Object, []place) {
	found := map[place]*objects.Object{}
	var order []place
	for _, o := range u.Objects {
		if _, ok := olm.ReadExtension(o.Node); !ok {
			continue
		}
		p := placeOf(o)
		for found[p] != nil {
			p.nth++
		}
		found[p] = o
		order = append(order, p)
	}
	return found, order
}

// extensions compares what OLM can do for each extension, as whomever it acts.
func (e *examiner) extensions() {
	before, order := extensionsOf(e.before)
	after, orderAfter := extensionsOf(e.after)
	for _, p := range orderAfter {
		if before[p] == nil {
			e.fault(e.touching(p), "a ClusterExtension %s would come to be", p.id.Name)
		}
	}
	for _, p := range order {
		if after[p] == nil {
			e.fault(e.touching(p), "ClusterExtension %s would be gone", p.id.Name)
			continue
		}
		if model := e.target(before[p]).Model; model == olm.Required || model == olm.Synthetic {
			e.extension(p, before[p], after[p])
		}
	}
}

func (e *examiner) touching(p place) func(*engine.Plan) bool {
	return func(plan *engine.Plan) bool { return e.touches(plan, p.file, p.id) }
}

func (e *examiner) extension(p place, before, after *objects.Object) {
	from, to := e.acting(before), e.acting(after)
	change, declared := e.switches[place{file: p.file, id: p.id}]
	if normal(from) != normal(to) && (!declared || normal(change.From) != normal(from) || normal(change.To) != normal(to)) {
		e.fault(e.touching(p), "OLM would act as %s for ClusterExtension %s, no longer as %s", subjectName(to), p.id.Name, subjectName(from))
		return
	}
	if e.faultIsKnown(from) || e.faultIsKnown(to) || !e.mayDiffer(from, to) {
		return
	}
	old, oldMore := everybodys(rbac.BindingsOf(e.before, before, from))
	new, newMore := everybodys(rbac.BindingsOf(e.after, after, to))
	c := comparison{
		who: "ClusterExtension " + p.id.Name, old: old, new: new,
		oldMore: func() []effect { return []effect{effectOf(e.before, oldMore)} },
		newMore: func() []effect { return []effect{effectOf(e.after, newMore)} },
		mayLose: func(g rbac.Grant) bool { return slices.Contains(change.Lost, g) },
		mayGain: func(g rbac.Grant) bool { return slices.Contains(change.Gained, g) || e.granted(to, g) },
		blame: func(plan *engine.Plan, _ bool) bool {
			return isAbout(plan, normal(from)) || isAbout(plan, normal(to)) || e.declares(plan, p.id) ||
				plan.Object.File == p.file && identityOf(plan.Object) == p.id
		},
	}
	d := e.compare(c)
	if len(old) == 0 && normal(from) != normal(to) && e.isUnheardOf(before) {
		from = rbac.Subject{}
	}
	e.noteExtension(p, from, to, d)
}

// isUnheardOf tells of an extension to whose synthetic identity nothing is granted whether nothing else speaks for that: its
// target takes no extension without an account, so that OLM's own account acted for it, or nobody did.
func (e *examiner) isUnheardOf(o *objects.Object) bool {
	extension, _ := olm.ReadExtension(o.Node)
	return !isNamed(extension.Account) && e.target(o).Model == olm.Required
}

func isNamed(account olm.Account) bool {
	return account.State == olm.Named || account.State == olm.Templated
}

// mayDiffer tells whether the permissions of an extension could have changed: it is another identity, or something that
// reaches the identity changed. Among plain files what an extension holds also depends on its namesakes.
func (e *examiner) mayDiffer(from, to rbac.Subject) bool {
	return normal(from) != normal(to) || e.before.Kind == objects.PlainUnit ||
		slices.ContainsFunc(e.concerned, func(c concern) bool { return reaches(c.subject, normal(from)) })
}

// reaches tells whether the bindings of a subject may be those of an identity. Namespaces are not looked at: some are not
// known.
func reaches(s, identity rbac.Subject) bool {
	switch {
	case s.Kind == rbac.KindGroup:
		return slices.Contains(identity.Groups(), s.Name) || strings.HasPrefix(s.Name, accountsIn) && identity.Namespace == ""
	case rbac.Templated(s.Name) || rbac.Templated(s.Namespace):
		return true
	}
	return s.Kind == identity.Kind && s.Name == identity.Name
}

// accountsIn begins the name of the group of all accounts of a namespace.
const accountsIn = "system:serviceaccounts:"

// faultIsKnown tells whether something is wrong with an identity, or a group that it is in. That is wrong for the extension
// too, but whose fault it is was known better there.
func (e *examiner) faultIsKnown(s rbac.Subject) bool {
	return e.isFaulty[normal(s)] || slices.ContainsFunc(s.Groups(), func(group string) bool {
		return e.isFaulty[rbac.Subject{Kind: rbac.KindGroup, Name: group}]
	})
}

// acting is the identity that OLM acts as for an extension where identities count. Without an account that is the
// synthetic one, also where an account is required and still missing: then it is the one that is to be replaced.
func (e *examiner) acting(o *objects.Object) rbac.Subject {
	extension, _ := olm.ReadExtension(o.Node)
	account := extension.Account
	target := e.target(o)
	placeholder := account.Name == olm.Placeholder && (target.Placeholder || target.Model == olm.Synthetic)
	if isNamed(account) && !placeholder {
		return rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: extension.Namespace, Name: account.Name}
	}
	return rbac.Subject{Kind: rbac.KindUser, Name: olm.User(extension.Name)}
}

// everybody is the group that accounts and synthetic users are both in.
const everybody = "system:authenticated"

// everybodys parts the bindings that an identity has as anybody from its own.
func everybodys(bindings []rbac.Binding) (own, everybodys []rbac.Binding) {
	for _, b := range bindings {
		if b.Via == everybody {
			everybodys = append(everybodys, b)
		} else {
			own = append(own, b)
		}
	}
	return own, everybodys
}

// granted tells whether it was declared that an identity, or one of its groups, is granted something.
func (e *examiner) granted(s rbac.Subject, g rbac.Grant) bool {
	if e.gains[declaration{normal(s), g}] {
		return true
	}
	return slices.ContainsFunc(s.Groups(), func(group string) bool {
		return e.gains[declaration{rbac.Subject{Kind: rbac.KindGroup, Name: group}, g}]
	})
}

// bystanders finds those who use an account that a safe fix grants something, and would come by it too.
func (e *examiner) bystanders() {
	for _, plan := range e.plans {
		if plan.Kind != finding.Safe {
			continue
		}
		for _, gain := range plan.Gains {
			s := normal(gain.Subject)
			if s.Kind != rbac.KindServiceAccount || !e.isMeant(gain.Unit) {
				continue
			}
			for _, ref := range e.after.References(objects.Account{Namespace: s.Namespace, Name: s.Name}) {
				if ref.What == objects.Definition || ref.What == objects.Subject || e.switched(ref.Object) {
					continue
				}
				e.fault(func(p *engine.Plan) bool { return p == plan }, "%s at %s would gain %s",
					identityOf(ref.Object), ref.Object.Position(ref.Path), grantName(gain.Grant))
			}
		}
	}
}

// switched tells whether an object is an extension whose change of identity was declared.
func (e *examiner) switched(o *objects.Object) bool {
	_, ok := e.switches[placeOf(o)]
	return ok
}

// orphans finds what still refers to an account or a role that is gone.
func (e *examiner) orphans() {
	left := map[place]bool{}
	for _, o := range e.after.Objects {
		left[placeOf(o)] = true
	}
	for _, o := range e.before.Objects {
		if left[placeOf(o)] {
			continue
		}
		switch {
		case o.Kind == rbac.KindServiceAccount && o.Group == "":
			e.orphansOfAccount(o)
		case o.Group == rbac.Group && (o.Kind == "Role" || o.Kind == "ClusterRole"):
			e.orphansOfRole(o)
		}
	}
}

func (e *examiner) orphansOfAccount(o *objects.Object) {
	for _, ref := range e.after.References(objects.Account{Namespace: o.Namespace, Name: o.Name}) {
		if ref.What != objects.Definition && e.meant(o, ref.Object) {
			e.fault(func(p *engine.Plan) bool { return e.touches(p, o.File, identityOf(o)) },
				"%s at %s still needs %s", identityOf(ref.Object), ref.Object.Position(ref.Path), identityOf(o))
		}
	}
}

func (e *examiner) orphansOfRole(o *objects.Object) {
	for _, binding := range bindingsTo(e.after)[identityOf(o)] {
		if e.meant(o, binding) {
			e.fault(func(p *engine.Plan) bool { return e.touches(p, o.File, identityOf(o)) },
				"%s at %s still refers to %s", identityOf(binding), binding.Position(nil), identityOf(o))
		}
	}
}

type bindingsKey struct{}

// bindingsTo lists the bindings of a unit by the role they refer to.
func bindingsTo(u *objects.Unit) map[engine.ObjectName][]*objects.Object {
	return u.Cached(bindingsKey{}, func() any {
		found := map[engine.ObjectName][]*objects.Object{}
		for _, o := range u.Objects {
			role := engine.ObjectName{Group: rbac.Group, Kind: o.Node.Lookup(roleKindPath).String(), Name: o.Node.Lookup(roleNamePath).String()}
			if role.Kind == "Role" {
				role.Namespace = o.Namespace
			}
			if role.Name != "" {
				found[role] = append(found[role], o)
			}
		}
		return found
	}).(map[engine.ObjectName][]*objects.Object)
}

var roleKindPath, roleNamePath = manifest.Path{"roleRef", "kind"}, manifest.Path{"roleRef", "name"}

// meant tells whether an object that names another means this one rather than a namesake nearer to it.
func (e *examiner) meant(o, by *objects.Object) bool {
	owned, _ := e.before.Near(by, e.before.Namesakes(o))
	return slices.Contains(owned, o)
}
