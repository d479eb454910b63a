package permissions

import (
	"path"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// admissionBuiltins compute what admission policies allow a subject to write that RBAC allows to write.
func admissionBuiltins() []*policy.Builtin {
	reason := define.Record("ref", define.String, "kind", define.String, "name", define.String, "state", define.String, "text", define.String)
	verdict := define.Record("state", define.String, "reasons", define.List(reason))
	return []*policy.Builtin{{
		Name:        "salint.limits",
		Description: "Whether a ValidatingAdmissionPolicy of the repository, with a binding that denies, limits the writes of a subject, and if not, what is missing.",
		Decl:        define.Function(verdict, define.Arg("subject", define.AnyMap), define.Arg("attempt", define.AnyMap)),
		Eval: define.Asking(define.OneOfEach([]string{admission.PolicyKind}, []string{admission.BindingKind}, define.BindingKinds, define.RoleKinds),
			define.RememberedFor("limits", limits)),
	}, {
		Name:        "salint.is_administrator",
		Description: "Whether a subject is an administrator: by its group, by all its bindings together, or because it is an account of OLM.",
		Decl:        define.Function(types.B, define.Arg("subject", define.AnyMap)),
		Eval:        define.Asking(define.OneOfEach(define.BindingKinds, define.RoleKinds), define.RememberedFor("is_administrator", define.Reading(values.ReadSubject, isAdministrator))),
	}}
}

func isAdministrator(s *evalcontext.Evaluation, subject rbac.Subject) (ast.Value, error) {
	return ast.Boolean(evalcontext.IsAdministrator(s.Context, s.Object, subject)), nil
}

func limits(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	subject, okSubject, err := values.ReadSubject(args[0])
	if err != nil {
		return nil, err
	}
	given, okAttempt, err := values.ReadStrings(args[1], "operation", "group", "resource", "name")
	if !okSubject || !okAttempt || err != nil {
		return nil, err
	}
	attempt := admission.Attempt{Operation: given["operation"], Group: given["group"], Resource: given["resource"], Name: given["name"]}
	verdict := policiesFor(s).Judge(who(s, subject), attempt)
	return ast.NewObject(
		values.Field("state", ast.String(verdict.State)),
		values.Field("reasons", values.Array(verdict.Reasons, func(r admission.Reason) ast.Value {
			return ast.NewObject(
				values.Field("ref", ast.String(r.Object.Ref())), values.Field("kind", ast.String(r.Object.Kind)), values.Field("name", ast.String(r.Object.Name)),
				values.Field("state", ast.String(r.State)), values.Field("text", ast.String(r.Text)))
		})),
	), nil
}

// who converts a subject for admission; its questions to the authorizer are answered by the roles of the unit.
func who(s *evalcontext.Evaluation, subject rbac.Subject) admission.Requester {
	who := admission.RequesterOf(subject, nil)
	identity := rbac.Identity{User: who.User, Groups: who.Groups}
	who.Allowed = func(r rbac.Request) (allowed, known bool) {
		if identity.Privileged() {
			return true, true
		}
		answer := rbac.Ask(s.Unit, s.Object, identity, r)
		return answer.Allowed, answer.Allowed || len(answer.Unknown)+len(answer.Uncertain) == 0 || everything(r)
	}
	return who
}

// everything reports whether only an administrator is allowed a request. A subject that is allowed it by unknown roles
// counts as an administrator, which no policy needs to limit.
func everything(r rbac.Request) bool {
	return r.Verb == rbacv1.VerbAll && r.Group == rbacv1.APIGroupAll && r.Resource == rbacv1.ResourceAll
}

type (
	admissionKey  struct{}
	admissionSeen struct{}
	// admissionLimits holds the policies and bindings of a repository, the units that apply each, and its kustomizations by
	// folder.
	admissionLimits struct {
		set            *admission.Set
		applied        map[*objects.Object][]*objects.Unit
		kustomizations map[string]*objects.Kustomization
	}
)

// policiesFor returns the policies of all units, because they are often applied separately from the resources that they
// limit, as they apply to the unit of the evaluation.
func policiesFor(s *evalcontext.Evaluation) *admission.Set {
	return s.Unit.Cached(admissionSeen{}, func() any {
		limits := s.Units[0].Cached(admissionKey{}, func() any { return newAdmissionLimits(objects.Answering(s.Units)) }).(*admissionLimits)
		return limits.set.ForCluster(func(o *objects.Object) string { return limits.otherCluster(s.Unit, o) })
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
	l.set = admission.New(objects.SortedOnce(all))
	return l
}

// otherCluster returns why a policy or a binding can be on another cluster than a unit: another unit applies it, or none
// applies it and it is beside a kustomization that does not list it. Other plain files count everywhere, because they are
// applied by hand.
func (l *admissionLimits) otherCluster(unit *objects.Unit, o *objects.Object) string {
	by := l.applied[o]
	if slices.ContainsFunc(by, func(u *objects.Unit) bool { return u.Key() == unit.Key() }) {
		return ""
	}
	if !slices.ContainsFunc(by, func(u *objects.Unit) bool { return u.Kind == objects.PlainUnit }) {
		return "is applied by " + by[0].String() + ", and limits this only if that is applied to the same cluster"
	}
	if k := l.kustomizations[path.Dir(o.File)]; k != nil {
		return "is not listed in " + k.Path + ", which is beside it, and limits this only if it is applied by hand"
	}
	return ""
}
