package usage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Sources are what an answer is made of.
type Sources struct {
	// Scene is the repository, of which everything was read.
	Scene access.Scene
	Index *uses.Index
	// Text returns the content of a file.
	Text func(file string) ([]byte, error)
	// Pods are the kinds with pods that the configuration adds.
	Pods []objects.PodSpecKind
}

// finder looks for what was asked.
type finder struct {
	Sources
	question Question
	units    []*objects.Unit
	files    *applied.Repository
	// places are those with the name in files.
	places []uses.Place
	// inert are the extensions whose account OLM does not use.
	inert map[*objects.Object]bool
	lines map[string][]string
}

// Find looks for the places that use something. The error is that of ctx.
func Find(ctx context.Context, from Sources, q Question) (Answer, error) {
	f := &finder{Sources: from, question: q, lines: map[string][]string{}}
	f.units = objects.AllApplied(from.Scene.Repository.Units)
	f.files = &applied.Repository{Units: f.units, Read: from.Text}
	f.inert = inertExtensions(from.Scene.Repository)
	answer := Answer{Question: q, Doubts: from.Scene.NotRead(f.units)}
	found, err := from.Index.Named(ctx, []string{q.Name})
	var unread *uses.UnreadError
	switch {
	case errors.As(err, &unread):
		answer.Doubts = append(answer.Doubts, access.Doubt{Message: unread.Reason})
	case err != nil:
		return Answer{}, err
	}
	f.places = found[q.Name]
	for _, s := range f.subjects() {
		answer.Subjects = append(answer.Subjects, f.complete(s))
	}
	return answer, nil
}

// subjects returns what the question means: one for each namespace in which something of the name is defined.
func (f *finder) subjects() []Subject {
	byNamespace := map[string]*Subject{}
	var order []string
	for _, unit := range f.units {
		for _, o := range unit.Objects {
			if !f.question.isDefinedBy(o) || f.question.Namespace != "" && !objects.SameNamespace(o.Namespace, f.question.Namespace) {
				continue
			}
			namespace := o.Namespace
			if f.question.Kind == clusterRole {
				namespace = ""
			}
			s := byNamespace[namespace]
			if s == nil {
				s = &Subject{Question: Question{f.question.Kind, namespace, f.question.Name}}
				byNamespace[namespace] = s
				order = append(order, namespace)
			}
			if !slices.ContainsFunc(s.Defined, func(d *objects.Object) bool { return d.Position(nil) == o.Position(nil) }) {
				s.Defined = append(s.Defined, o)
			}
		}
	}
	if len(order) == 0 {
		return []Subject{{Question: f.question}}
	}
	slices.Sort(order)
	var all []Subject
	for _, namespace := range order {
		all = append(all, *byNamespace[namespace])
	}
	return all
}

// complete looks for the uses of a subject.
func (f *finder) complete(s Subject) Subject {
	seen := map[string]bool{}
	add := func(u Use) {
		key := u.Position.String() + " " + u.How
		if !seen[key] {
			seen[key] = true
			s.Uses = append(s.Uses, u)
		}
	}
	for _, unit := range f.units {
		for _, o := range unit.Objects {
			for _, u := range f.usesIn(unit, o, s) {
				u.Object, u.Position = o, cmp.Or(u.Position, o.Position(u.Path))
				add(u)
			}
		}
	}
	for _, u := range f.textUses(s) {
		add(u)
	}
	// A manifest that a unit applies in an unknown namespace, and another in that of the subject.
	needs := map[objects.Position]bool{}
	for _, u := range s.with(Needs) {
		needs[u.Position] = true
	}
	s.Uses = slices.DeleteFunc(s.Uses, func(u Use) bool { return u.Effect == May && needs[u.Position] })
	slices.SortStableFunc(s.Uses, func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.Position.File, b.Position.File), cmp.Compare(a.Position.Line, b.Position.Line))
	})
	if !s.isMissing() {
		s.Accounts = f.accountsOf(s)
	}
	return s
}

// usesIn returns the uses of a subject in an object of a unit.
func (f *finder) usesIn(unit *objects.Unit, o *objects.Object, s Subject) []Use {
	switch s.Kind {
	case account:
		return f.accountUses(unit, o, s)
	case secret:
		return f.secretUses(o, s)
	case audience:
		return f.audienceUses(o, s.Name)
	}
	return f.roleUses(unit, o, s)
}

// accountsOf returns the accounts of a question, or those of the pods that use what was asked about, with what is granted to them.
func (f *finder) accountsOf(s Subject) []Account {
	var all []objects.Account
	if s.Kind == account {
		all = append(all, objects.Account{Namespace: s.Namespace, Name: s.Name})
	}
	for _, u := range s.Uses {
		all = append(all, u.Accounts...)
	}
	var found []Account
	for _, a := range all {
		if !slices.ContainsFunc(found, func(other Account) bool { return other.Account == a }) {
			found = append(found, Account{a, f.grantsOf(a)})
		}
	}
	return found
}

// grantsOf returns the rules that bindings of the repository grant to an account, without those of every cluster. A role whose rules are
// not known is a grant without a rule.
func (f *finder) grantsOf(a objects.Account) []access.Grant {
	var grants []access.Grant
	seen := map[objects.Position]bool{}
	for _, scope := range f.Scene.Repository.Scopes() {
		for _, b := range rbac.BindingsFor(scope, nil, rbac.Account(a).Identity()) {
			if b.Default || b.Object == nil || seen[b.Object.Position(nil)] {
				continue
			}
			seen[b.Object.Position(nil)] = true
			rules, _, _ := rbac.RoleRulesOf(scope, b.Role, b.Object)
			if len(rules) == 0 {
				rules = []rbacv1.PolicyRule{{}}
			}
			for _, rule := range rules {
				grants = append(grants, access.NewGrant(scope, b, rule, rbac.RuleSource{}))
			}
		}
	}
	return grants
}

// podAccounts returns the accounts as which the pods of an object run.
func podAccounts(o *objects.Object) []objects.Account {
	var all []objects.Account
	for _, ref := range o.References() {
		if (ref.What == objects.PodAccount || ref.What == objects.PodDefault) && !slices.Contains(all, ref.Account) {
			all = append(all, ref.Account)
		}
	}
	return all
}

// sameNamespace reports whether two namespaces are the same, and whether that is certain: it is not if one of them is not known.
func sameNamespace(a, b string) (same, certain bool) {
	if a == b {
		return true, true
	}
	unknown := func(namespace string) bool {
		return namespace == "" || namespace == objects.ReleaseNamespace || rbac.Templated(namespace)
	}
	return unknown(a) || unknown(b), false
}

// inNamespace returns a use of an object of a namespace, which only may be one if that is not known to be the namespace of the subject.
func (s Subject) inNamespace(namespace string, u Use) []Use {
	if s.Namespace == "" && len(s.Defined) == 0 { // the question is about any namespace
		return []Use{u}
	}
	same, certain := sameNamespace(namespace, s.Namespace)
	switch {
	case !same:
		return nil
	case !certain && u.Effect == Needs:
		u.Effect, u.How = May, u.How+", if it is in the same namespace, which is not known"
	}
	return []Use{u}
}

// isText reports whether a field holds a text that programs read: arguments, the environment, annotations, and data.
func isText(o *objects.Object, path []string) bool {
	if o.Group == "" && (o.Kind == "ConfigMap" || o.Kind == "Secret") {
		return len(path) > 1 && path[0] != "metadata" || slices.Contains(path, "annotations")
	}
	return slices.ContainsFunc(path, func(step string) bool {
		return step == "args" || step == "command" || step == "value" || step == "annotations" || step == "data"
	})
}

// isBuiltIn reports whether Kubernetes defines a kind: then it is known which of its fields refer to what.
func isBuiltIn(o *objects.Object) bool {
	return !strings.Contains(o.Group, ".") || strings.HasSuffix(o.Group, ".k8s.io") && !strings.HasSuffix(o.Group, ".x-k8s.io")
}

// inertExtensions returns the extensions whose account OLM does not use.
func inertExtensions(r *loader.Repository) map[*objects.Object]bool {
	inert := map[*objects.Object]bool{}
	for _, e := range r.Extensions() {
		inert[e.Object] = isInert(r, e)
	}
	return inert
}
