package rules

import (
	"path"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/rules/policy"
)

// admissionBuiltins ask what admission lets somebody write whom RBAC lets write.
func admissionBuiltins() []*policy.Builtin {
	reason := record("ref", textType, "kind", textType, "name", textType, "state", textType, "text", textType)
	verdict := record("state", textType, "reasons", listOf(reason))
	return []*policy.Builtin{{
		Name:        "salint.limits",
		Description: "Whether a ValidatingAdmissionPolicy of the repository, with a binding that denies, limits the writes of a subject, and if not, what is missing.",
		Decl:        function(verdict, arg("subject", anyMapType), arg("attempt", anyMapType)),
		Eval: asking(oneOfEach([]string{admission.PolicyKind}, []string{admission.BindingKind}, bindingKinds, roleKinds),
			rememberedFor("limits", limits)),
	}, {
		Name:        "salint.is_administrator",
		Description: "Whether a subject is an administrator: by its group, by all its bindings together, or because it is an account of OLM.",
		Decl:        function(types.B, arg("subject", anyMapType)),
		Eval:        asking(oneOfEach(bindingKinds, roleKinds), rememberedFor("is_administrator", isAdministrator)),
	}}
}

func isAdministrator(s *scene, args []*ast.Term) (ast.Value, error) {
	subject, ok, err := readSubject(args[0])
	if !ok || err != nil {
		return nil, err
	}
	return ast.Boolean(rbac.IsAdministrator(s.Unit, s.object, subject)), nil
}

func limits(s *scene, args []*ast.Term) (ast.Value, error) {
	subject, okSubject, err := readSubject(args[0])
	if err != nil {
		return nil, err
	}
	given, okAttempt, err := readTexts(args[1], "operation", "group", "resource", "name")
	if !okSubject || !okAttempt || err != nil {
		return nil, err
	}
	attempt := admission.Attempt{Operation: given["operation"], Group: given["group"], Resource: given["resource"], Name: given["name"]}
	verdict := s.admission().Judge(s.who(subject), attempt)
	return ast.NewObject(
		field("state", ast.String(verdict.State)),
		field("reasons", arrayOf(verdict.Reasons, func(r admission.Reason) ast.Value {
			return ast.NewObject(
				field("ref", ast.String(r.Object.Ref())), field("kind", ast.String(r.Object.Kind)), field("name", ast.String(r.Object.Name)),
				field("state", ast.String(r.State)), field("text", ast.String(r.Text)))
		})),
	), nil
}

// who makes of a subject what admission sees; its questions to the authorizer are answered by the roles of the unit.
func (s *scene) who(subject rbac.Subject) admission.Requester {
	who := admission.RequesterOf(subject, nil)
	identity := rbac.Identity{User: who.User, Groups: who.Groups}
	who.Allowed = func(r rbac.Request) (allowed, known bool) {
		if identity.Privileged() {
			return true, true
		}
		answer := rbac.Ask(s.Unit, s.object, identity, r)
		return answer.Allowed, answer.Allowed || len(answer.Unknown)+len(answer.Uncertain) == 0 || everything(r)
	}
	return who
}

// everything is what only an administrator may. Whoever may it by roles that are not known is one, whom nobody need limit.
func everything(r rbac.Request) bool {
	return r.Verb == rbacv1.VerbAll && r.Group == rbacv1.APIGroupAll && r.Resource == rbacv1.ResourceAll
}

type (
	admissionKey  struct{}
	admissionSeen struct{}
	// admissionLimits are the policies and bindings of a repository, the units that apply each, and its kustomizations by their
	// folders.
	admissionLimits struct {
		set            *admission.Set
		applied        map[*objects.Object][]*objects.Unit
		kustomizations map[string]*objects.Kustomization
	}
)

// admission are the policies of all units, for they are often applied apart from what they limit, as the unit of the scene sees
// them.
func (s *scene) admission() *admission.Set {
	return s.Unit.Cached(admissionSeen{}, func() any {
		limits := s.Units[0].Cached(admissionKey{}, func() any { return newAdmissionLimits(s.Units) }).(*admissionLimits)
		return limits.set.ForCluster(func(o *objects.Object) string { return limits.elsewhere(s.Unit, o) })
	}).(*admission.Set)
}

func newAdmissionLimits(units []*objects.Unit) *admissionLimits {
	l := &admissionLimits{applied: map[*objects.Object][]*objects.Unit{}, kustomizations: map[string]*objects.Kustomization{}}
	var all []*objects.Object
	group := admission.Group
	for _, unit := range units {
		for _, kind := range []string{admission.PolicyKind, admission.BindingKind} {
			for _, o := range unit.Find(objects.Query{Group: &group, Kind: kind}) {
				all = append(all, o)
				l.applied[o] = append(l.applied[o], unit)
			}
		}
		for _, k := range unit.Kustomizations {
			l.kustomizations[k.Dir] = k
		}
	}
	l.set = admission.New(sortedOnce(all))
	return l
}

// elsewhere says why a policy or a binding may not go to the cluster of a unit: another unit applies it, or none, and it lies
// beside a kustomization that does not list it. Other plain files count everywhere: who applies them applies them by hand.
func (l *admissionLimits) elsewhere(unit *objects.Unit, o *objects.Object) string {
	by := l.applied[o]
	if slices.ContainsFunc(by, func(u *objects.Unit) bool { return u.Key() == unit.Key() }) {
		return ""
	}
	if !slices.ContainsFunc(by, func(u *objects.Unit) bool { return u.Kind == objects.PlainUnit }) {
		return "is applied by " + by[0].String() + ", and limits this only if that goes to the same cluster"
	}
	if k := l.kustomizations[path.Dir(o.File)]; k != nil {
		return "is not listed in " + k.Path + ", which lies beside it, and limits this only if somebody applies it by hand"
	}
	return ""
}
