package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// examiner looks for violations in one unit.
type examiner struct {
	pair
	// plans are those that change a file of the unit; the following fields are their declarations.
	plans         []*engine.Plan
	gains, losses map[declaration]bool
	switches      map[objectKey]engine.Switch
	// about are the plans by the subject and the extension for which they declare something.
	about map[any][]*engine.Plan
	// sources are the extensions of the unit by their source, computed on demand.
	sources map[objectKey][]objectKey

	// affected are the subjects that a change of a binding or role can affect.
	affected     []affectedSubject
	hasViolation map[rbac.Subject]bool
	groups       map[groupKey]effect

	podSpecs    []objects.PodSpecKind // those in the configuration
	own         *ownAccounts
	others      *otherBindings
	deleted     map[string]bool // files of the repository
	violations  []violation
	permissions permission.Report
}

// declaration is a grant that a subject is declared to gain or lose.
type declaration struct {
	subject rbac.Subject
	grant   rbac.Grant
}

func newExaminer(p pair, plans []*engine.Plan) *examiner {
	e := &examiner{
		pair: p, plans: plans,
		gains: map[declaration]bool{}, losses: map[declaration]bool{}, switches: map[objectKey]engine.Switch{},
		affected: affectedBy(p), hasViolation: map[rbac.Subject]bool{}, groups: map[groupKey]effect{}, about: map[any][]*engine.Plan{},
	}
	for _, plan := range plans {
		for _, c := range plan.Gains {
			if !e.applies(c.Unit) {
				continue
			}
			e.gains[declaration{normal(c.Subject), c.Grant}] = true
			e.about[normal(c.Subject)] = append(e.about[normal(c.Subject)], plan)
		}
		for _, c := range plan.Losses {
			if !e.applies(c.Unit) {
				continue
			}
			e.losses[declaration{normal(c.Subject), c.Grant}] = true
			e.about[normal(c.Subject)] = append(e.about[normal(c.Subject)], plan)
		}
		for _, s := range plan.Switches {
			if !e.applies(s.Unit) {
				continue
			}
			for _, p := range e.applied(s) {
				e.switches[p] = s
				e.about[p] = append(e.about[p], plan)
			}
		}
	}
	return e
}

// applied returns the keys of the extension of a switch in this unit. A switch for all units names the extension as one of
// them applies it, and others can set another namespace.
func (e *examiner) applied(s engine.Switch) []objectKey {
	named := keyOf(s.Extension)
	source := s.Extension.Source()
	if s.Unit != nil || source == nil {
		return []objectKey{named}
	}
	if e.sources == nil {
		e.sources = map[objectKey][]objectKey{}
		places, order := extensionsOf(e.before)
		for _, p := range order {
			if from := places[p].Source(); from != nil {
				e.sources[keyOf(from)] = append(e.sources[keyOf(from)], p)
			}
		}
	}
	if made := e.sources[keyOf(source)]; len(made) > 0 {
		return made
	}
	return []objectKey{named}
}

func (e *examiner) examine() {
	if !e.isComparable() {
		return
	}
	if e.isBuilt() && !e.objects() {
		return // further differences are consequences
	}
	e.problems()
	e.duplicates()
	e.orphans()
	e.identities()
	e.declaredGrants()
	e.extensions()
	e.bystanders()
	e.pods()
}

// violation records a violation of the plans for which guilty is true; if there is none, of all.
func (e *examiner) violation(guilty func(*engine.Plan) bool, format string, args ...any) {
	plans := slices.DeleteFunc(slices.Clone(e.plans), func(p *engine.Plan) bool { return !guilty(p) })
	if len(plans) == 0 {
		plans = e.plans
	}
	e.violations = append(e.violations, violation{plans, e.name() + ": " + fmt.Sprintf(format, args...)})
}

func (e *examiner) name() string {
	if e.before.Kind == objects.PlainUnit {
		return "plain files"
	}
	return e.before.String()
}

// problems finds entries of kustomizations that no longer lead anywhere.
func (e *examiner) problems() {
	known := map[string]int{}
	for _, p := range e.before.Problems {
		known[p.Message]++
	}
	for _, problem := range e.after.Problems {
		if known[problem.Message]--; known[problem.Message] >= 0 {
			continue
		}
		e.violation(func(p *engine.Plan) bool { return lists(p, problem) }, "%s: %s", problem.Position, problem.Message)
	}
}

// lists reports whether a plan adds the entry with the problem to the kustomization.
func lists(p *engine.Plan, problem objects.Problem) bool {
	return slices.ContainsFunc(p.Changes, func(c engine.Change) bool {
		entry, ok := c.Value.(string)
		return ok && c.File == problem.Position.File && c.Op == engine.AppendItem && strings.Contains(problem.Message, strconv.Quote(entry))
	})
}

// changes reports whether a plan declares a change of a file.
func changes(p *engine.Plan, file string) bool {
	return slices.ContainsFunc(p.Changes, func(c engine.Change) bool { return c.File == file }) ||
		slices.ContainsFunc(p.Texts, func(c engine.TextChange) bool { return c.File == file }) ||
		slices.ContainsFunc(p.Documents, func(d engine.Document) bool { return d.File == file })
}

// duplicates finds objects that kustomize rejects because they exist twice.
func (e *examiner) duplicates() {
	if e.after.Kind == objects.PlainUnit {
		return
	}
	before, after := byIdentity(e.before), byIdentity(e.after)
	for _, o := range e.after.Objects {
		id := identityOf(o)
		same := after[id]
		if o.Name == "" || len(same) < 2 || len(same) <= len(before[id]) || o != same[0] {
			continue
		}
		e.violation(func(p *engine.Plan) bool { return e.changesAny(p, same) }, "%s would exist twice", id)
	}
}

func byIdentity(u *objects.Unit) map[engine.ObjectName][]*objects.Object {
	found := map[engine.ObjectName][]*objects.Object{}
	for _, o := range u.Objects {
		found[identityOf(o)] = append(found[identityOf(o)], o)
	}
	return found
}

func (e *examiner) changesAny(p *engine.Plan, objs []*objects.Object) bool {
	return slices.ContainsFunc(objs, func(o *objects.Object) bool { return e.touches(p, o.File, identityOf(o)) })
}

// isAbout reports whether a plan declares anything about a subject.
func isAbout(p *engine.Plan, s rbac.Subject) bool {
	return slices.ContainsFunc(slices.Concat(p.Gains, p.Losses), func(c engine.GrantChange) bool { return normal(c.Subject) == s })
}

// declaredGrants checks that every unit that applies the subject of a declared grant contains the grant.
func (e *examiner) declaredGrants() {
	granted := map[rbac.Subject]map[rbac.Grant]bool{} // many plans can declare grants to one group
	for _, plan := range e.plans {
		if !e.files[plan.Object.File] {
			continue
		}
		for _, gain := range plan.Gains {
			if !e.applies(gain.Unit) {
				continue
			}
			s := normal(gain.Subject)
			if granted[s] == nil {
				granted[s] = direct(e.after, s)
			}
			if !granted[s][gain.Grant] {
				e.violation(func(p *engine.Plan) bool { return p == plan }, "%s would not be granted %s",
					subjectName(gain.Subject), grantName(gain.Grant))
			}
		}
	}
}

// subjectsOf returns the subjects of a binding.
func subjectsOf(binding *objects.Object) []rbac.Subject {
	list, _ := binding.JSON()["subjects"].([]any)
	subjects := make([]rbac.Subject, len(list))
	for i, item := range list {
		subjects[i] = subjectOf(binding, item)
	}
	return subjects
}

func subjectOf(binding *objects.Object, item any) rbac.Subject {
	fields, _ := item.(map[string]any)
	text := func(key string) string { s, _ := fields[key].(string); return s }
	s := rbac.Subject{Kind: text("kind"), Name: text("name")}
	if s.Kind == rbac.KindServiceAccount {
		s.Namespace = text("namespace")
		if s.Namespace == "" && binding.Kind == "RoleBinding" {
			s.Namespace = binding.Namespace
		}
	}
	return normal(s)
}

// normal returns a single form for an account, which is also the user of that name.
func normal(s rbac.Subject) rbac.Subject {
	if account, ok := objects.ParseUser(s.Name); ok && s.Kind == rbac.KindUser {
		return rbac.Account(account)
	}
	return s
}

// direct returns the grants to the subject itself.
func direct(u *objects.Unit, s rbac.Subject) map[rbac.Grant]bool {
	grants := map[rbac.Grant]bool{}
	for _, g := range rbac.GrantsOf(naming(u, s)) {
		grants[g] = true
	}
	return grants
}

func subjectName(s rbac.Subject) string {
	if s.Namespace != "" {
		return s.Kind + " " + s.Namespace + "/" + s.Name
	}
	return s.Kind + " " + s.Name
}

func grantName(g rbac.Grant) string {
	name := g.Role.Kind + " " + g.Role.Name
	if g.Scope != "" {
		name += " in " + g.Scope
	}
	return name
}
