package prune

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// removedTogether returns what is removed together with the remaining candidates and roles.
func (p *Pruner) removedTogether() removedSet {
	gone := removedSet{objects: map[string][]*candidate{}, subjects: map[string]map[int][]*candidate{}}
	bindings := map[string]*objects.Object{}
	for _, cand := range p.candidates {
		if cand.refusal != nil {
			continue
		}
		gone.objects[cand.object.Ref()] = []*candidate{cand}
		for _, o := range cand.secrets {
			gone.objects[o.Ref()] = []*candidate{cand}
		}
		for _, s := range cand.subjects {
			ref := s.Object.Ref()
			bindings[ref] = s.Object
			if gone.subjects[ref] == nil {
				gone.subjects[ref] = map[int][]*candidate{}
			}
			gone.subjects[ref][s.SubjectIndex] = append(gone.subjects[ref][s.SubjectIndex], cand)
		}
	}
	for ref, binding := range bindings {
		if len(gone.subjects[ref]) == subjects.Count(binding) {
			for _, by := range gone.subjects[ref] {
				gone.objects[ref] = append(gone.objects[ref], by...)
			}
		}
	}
	for _, role := range p.roles {
		if _, kept := p.keptRoles[role]; !kept {
			gone.objects[role.Ref()] = p.roleOf[role]
		}
	}
	return gone
}

// inUse returns a refusal that names what still uses the account, its token Secrets, or its bindings; nil if nothing does.
func (p *Pruner) inUse(cand *candidate) error {
	if m, ok := p.firstUse(usedObject{cand.object, cand.account}); ok {
		return refuseMentioned(cand.object, m)
	}
	for _, o := range cand.secrets {
		if m, ok := p.firstUse(usedObject{object: o}); ok {
			return refuseMentioned(o, m)
		}
	}
	for _, s := range cand.subjects {
		if !p.removed.object(s.Object.Ref()) {
			continue
		}
		if m, ok := p.firstUse(usedObject{object: s.Object}); ok {
			return refuseMentioned(s.Object, m)
		}
	}
	return nil
}

func refuseMentioned(o *objects.Object, m objects.Mention) error {
	return engine.Refuse("%s stays: %s", engine.NameOf(o), describeMention(m))
}

func describeMention(m objects.Mention) string {
	what, verb := "", "is"
	if m.Templated {
		verb = "may be"
	}
	if m.Kind != "" {
		what = strings.TrimRight(", in "+m.Kind+" "+m.Path.String(), " ")
	}
	return fmt.Sprintf("it %s named at %s:%d%s", verb, m.File, m.Line, what)
}

// roleInUse returns what still uses a role; "" if nothing does.
func (p *Pruner) roleInUse(role *objects.Object) string {
	if m, ok := p.firstUse(usedObject{object: role}); ok {
		return describeMention(m)
	}
	if subject, ok := p.grantedInRun(role); ok {
		return engine.SubjectName(subject) + " is granted it by another fix of this run"
	}
	return p.c.Repo.AggregatedBy(role)
}

// grantedInRun returns an identity that a plan of this run grants a role: the files do not show it yet.
func (p *Pruner) grantedInRun(role *objects.Object) (rbac.Subject, bool) {
	for _, gain := range p.gains[roleKey{role.Kind, role.Name}] {
		sameNamespace := role.Namespace == "" || gain.Grant.Role.Namespace == role.Namespace
		if sameNamespace && !p.c.Repo.MeansNamesake(role, gain.file) {
			return gain.Subject, true
		}
	}
	return rbac.Subject{}, false
}

// roleKey identifies a role regardless of its namespace.
type roleKey struct{ kind, name string }

// newGain is a grant that a plan adds, with the file of the plan's object.
type newGain struct {
	engine.GrantChange
	file string
}

// AddGains adds the grants that a plan of the run adds.
func (p *Pruner) AddGains(plan *engine.Plan) {
	for _, gain := range plan.Gains {
		key := roleKey{gain.Grant.Role.Kind, gain.Grant.Role.Name}
		p.gains[key] = append(p.gains[key], newGain{gain, plan.Object.File})
	}
}

// usedObject is an object whose uses are looked for. The account is set if the object is one.
type usedObject struct {
	object  *objects.Object
	account objects.Account
}

// mayBeNamed reports whether a mention may refer to the object, judging by the place of the mention.
func (u usedObject) mayBeNamed(m objects.Mention) bool {
	if u.account == (objects.Account{}) {
		return m.CanNameOther()
	}
	return m.CanName(u.account)
}

func (p *Pruner) firstUse(u usedObject) (objects.Mention, bool) {
	for _, m := range p.mentions[u.object.Name] {
		if !p.isNoUse(u, m) && !p.c.Repo.MeansNamesake(u.object, m.File) {
			return m, true
		}
	}
	return objects.Mention{}, false
}

// isNoUse reports whether a mention is no reason to keep an object: the mention is removed too, or refers to something else.
func (p *Pruner) isNoUse(u usedObject, m objects.Mention) bool {
	if p.removed.object(m.Ref) || !u.mayBeNamed(m) {
		return true
	}
	if _, gone := p.removed.subject(m.Ref, m.Path); gone {
		return true
	}
	if plan := p.fieldRemovals[m.Ref]; plan != nil && removesMention(plan, m) || p.removerOf(u.object.Name, m) != nil {
		return true
	}
	o := p.c.Repo.MentionedObject(m)
	if o == nil {
		return p.c.Repo.ListsFile(m) || subjects.IsBinding(u.object) && m.Ref == ""
	}
	return meansSomethingElse(p.c, u, o, m.Path)
}

// removesMention reports whether a plan removes the place of a mention.
func removesMention(p *engine.Plan, m objects.Mention) bool {
	at := p.Object.At(m.Path)
	return slices.ContainsFunc(p.Changes, func(c engine.Change) bool {
		return c.Op == engine.RemoveValue && c.File == m.File && len(c.Path) <= len(at) && slices.Equal(c.Path, at[:len(c.Path)])
	})
}

// meansSomethingElse reports whether a field with the name of an object cannot refer to that object. A field that is not
// known to refer to something else counts as a use.
func meansSomethingElse(c *engine.Context, u usedObject, o *objects.Object, path manifest.Path) bool {
	if subjects.IsBinding(u.object) {
		return !refersByKind(o, path, u.object.Kind)
	}
	for _, ref := range c.Repo.References(o) {
		if slices.Equal(ref.Path, path) {
			return u.account == (objects.Account{}) || !engine.MayMatch(ref.Account, u.account)
		}
	}
	switch last := path[len(path)-1]; {
	case path.String() == "metadata.name", last == "namespace", last == "packageName":
		return true
	case slices.Contains(path, "labels") || slices.Contains(path, "matchLabels"):
		return true
	case path[0] == "roleRef":
		return u.object.Group != rbac.Group || o.Node.Lookup(manifest.Path{"roleRef", "kind"}).String() != u.object.Kind
	}
	return false
}

// refersByKind reports whether a field is the name in a reference to an object of a kind, as in Flux's healthChecks.
func refersByKind(o *objects.Object, path manifest.Path, kind string) bool {
	return len(path) > 1 && path[len(path)-1] == "name" &&
		o.Node.Lookup(path[:len(path)-1]).Get("kind").String() == kind
}
