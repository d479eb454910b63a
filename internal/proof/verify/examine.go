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

// examiner looks for faults in one unit.
type examiner struct {
	pair
	// plans change a file of the unit; what follows is what they declare.
	plans         []*engine.Plan
	gains, losses map[declaration]bool
	switches      map[place]engine.Switch
	// about has the plans by whom and which extension they declare something about.
	about map[any][]*engine.Plan
	// made are the extensions of the unit by where they come of, once a switch asks.
	made map[place][]place

	// concerned are those whom a change to a binding or role may concern.
	concerned []concern
	isFaulty  map[rbac.Subject]bool
	groups    map[groupKey]effect

	podSpecs    []objects.PodSpecKind // that the configuration adds
	faults      []fault
	permissions permission.Report
}

// declaration is a grant that somebody is declared to gain or lose.
type declaration struct {
	subject rbac.Subject
	grant   rbac.Grant
}

func newExaminer(p pair, plans []*engine.Plan) *examiner {
	e := &examiner{
		pair: p, plans: plans,
		gains: map[declaration]bool{}, losses: map[declaration]bool{}, switches: map[place]engine.Switch{},
		concerned: concernedBy(p), isFaulty: map[rbac.Subject]bool{}, groups: map[groupKey]effect{}, about: map[any][]*engine.Plan{},
	}
	for _, plan := range plans {
		for _, c := range plan.Gains {
			if !e.isMeant(c.Unit) {
				continue
			}
			e.gains[declaration{normal(c.Subject), c.Grant}] = true
			e.about[normal(c.Subject)] = append(e.about[normal(c.Subject)], plan)
		}
		for _, c := range plan.Losses {
			if !e.isMeant(c.Unit) {
				continue
			}
			e.losses[declaration{normal(c.Subject), c.Grant}] = true
			e.about[normal(c.Subject)] = append(e.about[normal(c.Subject)], plan)
		}
		for _, s := range plan.Switches {
			if !e.isMeant(s.Unit) {
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

// applied are the places of the extension of a switch in this unit. A switch for every unit names it as one of them applies it,
// and others may give what comes of its manifest another namespace.
func (e *examiner) applied(s engine.Switch) []place {
	named := placeOf(s.Extension)
	source := s.Extension.Source()
	if s.Unit != nil || source == nil {
		return []place{named}
	}
	if e.made == nil {
		e.made = map[place][]place{}
		places, order := extensionsOf(e.before)
		for _, p := range order {
			if from := places[p].Source(); from != nil {
				e.made[placeOf(from)] = append(e.made[placeOf(from)], p)
			}
		}
	}
	if made := e.made[placeOf(source)]; len(made) > 0 {
		return made
	}
	return []place{named}
}

func (e *examiner) examine() {
	if !e.isComparable() {
		return
	}
	if e.isBuilt() && !e.objects() {
		return // what follows from that is no further fault
	}
	e.problems()
	e.duplicates()
	e.orphans()
	e.identities()
	e.promises()
	e.extensions()
	e.bystanders()
	e.pods()
}

// fault blames the plans of the unit for which the condition holds; without any, all of them.
func (e *examiner) fault(guilty func(*engine.Plan) bool, format string, args ...any) {
	plans := slices.DeleteFunc(slices.Clone(e.plans), func(p *engine.Plan) bool { return !guilty(p) })
	if len(plans) == 0 {
		plans = e.plans
	}
	e.faults = append(e.faults, fault{plans, e.name() + ": " + fmt.Sprintf(format, args...)})
}

func (e *examiner) name() string {
	if e.before.Kind == objects.PlainUnit {
		return "plain files"
	}
	return e.before.String()
}

// problems finds entries of kustomizations that lead nowhere any more.
func (e *examiner) problems() {
	known := map[string]int{}
	for _, p := range e.before.Problems {
		known[p.Message]++
	}
	for _, problem := range e.after.Problems {
		if known[problem.Message]--; known[problem.Message] >= 0 {
			continue
		}
		e.fault(func(p *engine.Plan) bool { return lists(p, problem) }, "%s: %s", problem.Position, problem.Message)
	}
}

// lists tells whether a plan adds the entry that a problem is about to the kustomization.
func lists(p *engine.Plan, problem objects.Problem) bool {
	return slices.ContainsFunc(p.Changes, func(c engine.Change) bool {
		entry, ok := c.Value.(string)
		return ok && c.File == problem.Position.File && c.Op == engine.AppendItem && strings.Contains(problem.Message, strconv.Quote(entry))
	})
}

// changes tells whether a plan declares a change of a file.
func changes(p *engine.Plan, file string) bool {
	return slices.ContainsFunc(p.Changes, func(c engine.Change) bool { return c.File == file }) ||
		slices.ContainsFunc(p.Texts, func(c engine.TextChange) bool { return c.File == file }) ||
		slices.ContainsFunc(p.Documents, func(d engine.Document) bool { return d.File == file })
}

// duplicates finds objects that kustomize refuses because they are there twice.
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
		e.fault(func(p *engine.Plan) bool { return e.changesAny(p, same) }, "%s would be there twice", id)
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

// isAbout tells whether a plan declares anything about a subject.
func isAbout(p *engine.Plan, s rbac.Subject) bool {
	return slices.ContainsFunc(slices.Concat(p.Gains, p.Losses), func(c engine.GrantChange) bool { return normal(c.Subject) == s })
}

// promises checks that the grants which plans declare have arrived in every unit that applies what they are about.
func (e *examiner) promises() {
	for _, plan := range e.plans {
		if !e.files[plan.Object.File] {
			continue
		}
		for _, gain := range plan.Gains {
			if e.isMeant(gain.Unit) && !slices.Contains(direct(e.after, normal(gain.Subject)), gain.Grant) {
				e.fault(func(p *engine.Plan) bool { return p == plan }, "%s would not be granted %s",
					subjectName(gain.Subject), grantName(gain.Grant))
			}
		}
	}
}

// subjectsOf lists the subjects of a binding.
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

// normal gives the one name of a subject that has two: an account is also the user of that name.
func normal(s rbac.Subject) rbac.Subject {
	if account, ok := objects.ParseUser(s.Name); ok && s.Kind == rbac.KindUser {
		return rbac.Account(account)
	}
	return s
}

// direct is what a subject is granted by name.
func direct(u *objects.Unit, s rbac.Subject) []rbac.Grant {
	return rbac.GrantsOf(naming(u, s))
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
