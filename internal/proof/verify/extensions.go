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

// objectKey identifies an object without counting documents, whose number changes: by file and identity, and by order if a
// file has several with one identity.
type objectKey struct {
	file string
	id   engine.ObjectName
	nth  int
}

func keyOf(o *objects.Object) objectKey { return objectKey{file: o.File, id: identityOf(o)} }

func extensionsOf(u *objects.Unit) (map[objectKey]*objects.Object, []objectKey) {
	found := map[objectKey]*objects.Object{}
	var order []objectKey
	for _, o := range u.Objects {
		if _, ok := o.Extension(); !ok {
			continue
		}
		p := keyOf(o)
		for found[p] != nil {
			p.nth++
		}
		found[p] = o
		order = append(order, p)
	}
	return found, order
}

// extensions compares what OLM can do for each extension, with the identity as which it acts.
func (e *examiner) extensions() {
	before, order := extensionsOf(e.before)
	after, orderAfter := extensionsOf(e.after)
	for _, p := range orderAfter {
		if before[p] == nil {
			e.violation(e.touching(p), "a ClusterExtension %s would be added", p.id.Name)
		}
	}
	e.inParts(len(order), func(e *examiner, i int) {
		p := order[i]
		switch {
		case after[p] == nil:
			e.violation(e.touching(p), "ClusterExtension %s would be removed", p.id.Name)
		case e.target(before[p]).Model.IdentitiesMayCount():
			e.extension(p, before[p], after[p])
		default:
			e.noteUnlimited(p, before[p], after[p])
		}
	})
}

func (e *examiner) touching(p objectKey) func(*engine.Plan) bool {
	return func(plan *engine.Plan) bool { return e.touches(plan, p.file, p.id) }
}

func (e *examiner) extension(p objectKey, before, after *objects.Object) {
	from, to := e.acting(before), e.acting(after)
	change, declared := e.switches[objectKey{file: p.file, id: p.id}]
	if normal(from) != normal(to) && (!declared || normal(change.From) != normal(from) || normal(change.To) != normal(to)) {
		e.violation(e.touching(p), "OLM would act as %s for ClusterExtension %s instead of %s", subjectName(to), p.id.Name, subjectName(from))
		return
	}
	if e.isReported(from) || e.isReported(to) || !e.mayDiffer(from, to) {
		return
	}
	old, oldMore := splitShared(rbac.BindingsOf(e.before, before, from))
	if normal(from) != normal(to) {
		// The same cluster has the roles of these bindings under the same names.
		old = slices.Concat(old, change.Beside)
	}
	new, newMore := splitShared(rbac.BindingsOf(e.after, after, to))
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
	if len(old) == 0 && normal(from) != normal(to) && e.isUnbound(before) {
		from = rbac.Subject{}
	}
	e.noteExtension(p, from, to, d)
}

// isUnbound reports whether an extension whose synthetic identity has no grants was not installed with it: its target
// rejects extensions without an account, so that nothing or OLM's own account acted for it.
func (e *examiner) isUnbound(o *objects.Object) bool {
	extension, _ := o.Extension()
	return !isNamed(extension.Account) && e.target(o).Model == olm.Required
}

func isNamed(account olm.Account) bool {
	return account.State == olm.Named || account.State == olm.Templated
}

// mayDiffer reports whether the permissions of an extension can have changed: its identity differs, or something that
// applies to the identity changed. Among plain files they also depend on objects of the same name.
func (e *examiner) mayDiffer(from, to rbac.Subject) bool {
	return normal(from) != normal(to) || e.before.Kind == objects.PlainUnit ||
		slices.ContainsFunc(e.affected, func(c affectedSubject) bool { return reaches(c.subject, normal(from)) })
}

// reaches reports whether the bindings of a subject can apply to an identity. Namespaces are ignored, because some are
// unknown.
func reaches(s, identity rbac.Subject) bool {
	switch {
	case s.Kind == rbac.KindGroup:
		return slices.Contains(identity.Groups(), s.Name) || strings.HasPrefix(s.Name, accountsIn) && identity.Namespace == ""
	case rbac.Templated(s.Name) || rbac.Templated(s.Namespace):
		return true
	}
	return s.Kind == identity.Kind && s.Name == identity.Name
}

// accountsIn is the prefix of the group of all accounts of a namespace.
const accountsIn = "system:serviceaccounts:"

// isReported reports whether a violation was found for an identity, or for one of its groups. It applies to the extension
// as well, but was attributed to the right plan there.
func (e *examiner) isReported(s rbac.Subject) bool {
	return e.hasViolation[normal(s)] || slices.ContainsFunc(s.Groups(), func(group string) bool {
		return e.hasViolation[rbac.Subject{Kind: rbac.KindGroup, Name: group}]
	})
}

// acting returns the identity as which OLM acts for an extension if identities count. Without an account that is the
// synthetic one, even if an account is required and missing: then it is the identity to be replaced.
func (e *examiner) acting(o *objects.Object) rbac.Subject {
	extension, _ := o.Extension()
	account := extension.Account
	target := e.target(o)
	placeholder := account.Name == olm.Placeholder && (target.Placeholder || target.Model == olm.Synthetic)
	if isNamed(account) && !placeholder {
		return rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: extension.Namespace, Name: account.Name}
	}
	return rbac.Subject{Kind: rbac.KindUser, Name: olm.User(extension.Name)}
}

// authenticated is the group of all accounts and synthetic users.
const authenticated = "system:authenticated"

// splitShared separates the bindings of an identity that all identities have from its own.
func splitShared(bindings []rbac.Binding) (own, everybodys []rbac.Binding) {
	for _, b := range bindings {
		if b.Via == authenticated {
			everybodys = append(everybodys, b)
		} else {
			own = append(own, b)
		}
	}
	return own, everybodys
}

// granted reports whether a grant to an identity, or to one of its groups, was declared.
func (e *examiner) granted(s rbac.Subject, g rbac.Grant) bool {
	if e.gains[declaration{normal(s), g}] {
		return true
	}
	return slices.ContainsFunc(s.Groups(), func(group string) bool {
		return e.gains[declaration{rbac.Subject{Kind: rbac.KindGroup, Name: group}, g}]
	})
}

// bystanders finds other users of an account to which a safe fix grants something, because they would gain it as well.
func (e *examiner) bystanders() {
	for _, plan := range e.plans {
		if plan.Kind != finding.Safe {
			continue
		}
		for _, gain := range plan.Gains {
			s := normal(gain.Subject)
			if s.Kind != rbac.KindServiceAccount || !e.applies(gain.Unit) {
				continue
			}
			for _, ref := range e.after.References(objects.Account{Namespace: s.Namespace, Name: s.Name}) {
				if ref.What == objects.Definition || ref.What == objects.Subject || e.switched(ref.Object) {
					continue
				}
				e.violation(func(p *engine.Plan) bool { return p == plan }, "%s at %s would gain %s",
					identityOf(ref.Object), ref.Object.Position(ref.Path), grantName(gain.Grant))
			}
		}
	}
}

// switched reports whether an object is an extension whose change of identity was declared.
func (e *examiner) switched(o *objects.Object) bool {
	_, ok := e.switches[keyOf(o)]
	return ok
}

// orphans finds references to an account or a role that is removed.
func (e *examiner) orphans() {
	left := map[objectKey]bool{}
	for _, o := range e.after.Objects {
		left[keyOf(o)] = true
	}
	for _, o := range e.before.Objects {
		if left[keyOf(o)] {
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
			e.violation(func(p *engine.Plan) bool { return e.touches(p, o.File, identityOf(o)) },
				"%s at %s still needs %s", identityOf(ref.Object), ref.Object.Position(ref.Path), identityOf(o))
		}
	}
}

func (e *examiner) orphansOfRole(o *objects.Object) {
	for _, binding := range bindingsTo(e.after)[identityOf(o)] {
		if e.meant(o, binding) {
			e.violation(func(p *engine.Plan) bool { return e.touches(p, o.File, identityOf(o)) },
				"%s at %s still references %s", identityOf(binding), binding.Position(nil), identityOf(o))
		}
	}
}

type bindingsKey struct{}

// bindingsTo returns the bindings of a unit by role.
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

// meant reports whether an object that references another means this one, and not one of the same name that is nearer.
func (e *examiner) meant(o, by *objects.Object) bool {
	owned, _ := e.before.Near(by, e.before.Namesakes(o))
	return slices.Contains(owned, o)
}
