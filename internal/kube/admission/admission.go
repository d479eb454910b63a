package admission

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// The API group and the kinds that are read.
const (
	Group       = "admissionregistration.k8s.io"
	PolicyKind  = "ValidatingAdmissionPolicy"
	BindingKind = "ValidatingAdmissionPolicyBinding"
)

// Attempt is a write of cluster-scoped objects. Operation is CREATE or UPDATE, because a patch is an update for admission.
// Name is the name of a single object, "" for any.
type Attempt struct{ Operation, Group, Resource, Name string }

// State is the state of a limit.
type State string

// A subject is limited, or not, or the repository does not determine it.
const (
	Limited State = "limited"
	Open    State = "open"
	Unknown State = "unknown"
)

// Reason is why a policy or a binding limits no subject, or why that is unknown. Text is the end of a sentence that begins
// with the object.
type Reason struct {
	Object *objects.Object
	Text   string
	State  State
}

// Verdict is the answer for one attempt. Reasons are empty if it is Limited, because one limit is sufficient. Otherwise
// they are the first few, unknown ones before others.
type Verdict struct {
	State   State
	Reasons []Reason
}

// Set holds the policies and bindings of a repository.
type Set struct {
	policies []*policy
	// orphans deny with policies that the set does not contain.
	orphans []*binding
	// otherCluster returns why a policy or a binding can be of another cluster than the requested one, otherwise "". It can
	// be nil.
	otherCluster func(*objects.Object) string
}

type policy struct {
	object *objects.Object
	// problem is why spec could not be read.
	problem  error
	spec     admissionv1.ValidatingAdmissionPolicySpec
	bindings []*binding
	programs *programs
}

type binding struct {
	object  *objects.Object
	problem error
	spec    admissionv1.ValidatingAdmissionPolicyBindingSpec
}

// New reads policies and bindings. Other objects are ignored. Expressions are compiled on first use.
func New(objects []*objects.Object) *Set {
	s, byName := &Set{}, map[string][]*policy{}
	for _, o := range objects {
		if o.Group == Group && o.Kind == PolicyKind {
			p := &policy{object: o}
			p.problem = readSpec(o, &p.spec)
			p.programs = &programs{spec: &p.spec}
			s.policies = append(s.policies, p)
			byName[o.Name] = append(byName[o.Name], p)
		}
	}
	for _, o := range objects {
		if o.Group != Group || o.Kind != BindingKind {
			continue
		}
		b := &binding{object: o}
		b.problem = readSpec(o, &b.spec)
		bound := byName[b.spec.PolicyName]
		for _, p := range bound {
			p.bindings = append(p.bindings, b)
		}
		if len(bound) == 0 && b.denies() {
			s.orphans = append(s.orphans, b)
		}
	}
	return s
}

func readSpec(o *objects.Object, into any) error {
	text, err := json.Marshal(o.JSON()["spec"])
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// servedNow is the version of these policies that every API server serves since Kubernetes 1.30.
const servedNow = "v1"

// notServed returns why an older version can be without effect.
func notServed(o *objects.Object) string {
	if version := strings.TrimPrefix(o.APIVersion, Group+"/"); version != servedNow {
		return "has version " + version + ", which API servers serve only if it is enabled"
	}
	return ""
}

// unreadable describes content that the API server refuses. The decoder's own message names Go types.
const unreadable = "has a field of the wrong type in its spec"

func (b *binding) denies() bool {
	return slices.Contains(b.spec.ValidationActions, admissionv1.Deny)
}

// Judge reports whether one of the policies limits an attempt. Policies of the same cluster are checked first, because one
// is sufficient, and there can be as many others as there are clusters.
func (s *Set) Judge(who Requester, attempt Attempt) Verdict {
	var near, far []*policy
	for _, p := range s.policies {
		if !p.concerns(attempt.Group) {
			continue
		}
		here, all := s.split(p)
		near, far = append(near, here...), append(far, all...)
	}
	verdict := Verdict{State: Open}
	for _, p := range near {
		reasons, by := p.judge(who, attempt)
		if by != nil {
			return Verdict{State: Limited}
		}
		verdict.Reasons = append(verdict.Reasons, reasons...)
	}
	for _, p := range far {
		reasons, by := p.judge(who, attempt)
		if by != nil {
			verdict.Reasons = append(verdict.Reasons, s.uncertainLimit(p, by))
			break
		}
		verdict.Reasons = append(verdict.Reasons, reasons...)
	}
	if len(verdict.Reasons) == 0 {
		verdict.Reasons = s.missing(attempt)
	}
	slices.SortStableFunc(verdict.Reasons, func(a, b Reason) int { return cmp.Compare(b.State, a.State) }) // unknown before open
	if len(verdict.Reasons) > 0 && verdict.Reasons[0].State == Unknown {
		verdict.State = Unknown
	}
	verdict.Reasons = verdict.Reasons[:min(len(verdict.Reasons), maxReasons)]
	return verdict
}

// maxReasons limits the reasons in a verdict. Hundreds of policies can each yield one, for each of thousands of subjects.
const maxReasons = 5

// missing returns the bindings that would deny with a missing policy, except those for other resources.
func (s *Set) missing(attempt Attempt) []Reason {
	var reasons []Reason
	for _, b := range s.orphans {
		if m := b.spec.MatchResources; m != nil && touches(m.ResourceRules, attempt.Group) {
			reasons = append(reasons, Reason{b.object, "references the policy " + b.spec.PolicyName + ", which is not in the repository", Open})
		}
	}
	return reasons
}

// judge checks one policy with each of its bindings: by is the one that limits; if none does, reasons are the best ones for
// the others.
func (p *policy) judge(who Requester, attempt Attempt) (reasons []Reason, by *binding) {
	if p.problem != nil {
		return []Reason{{p.object, unreadable, Unknown}}, nil
	}
	if state, why := matches(p.spec.MatchConstraints, attempt); state != Limited {
		return []Reason{{p.object, why, state}}, nil
	}
	if why := notServed(p.object); why != "" {
		return []Reason{{p.object, why, Unknown}}, nil
	}
	if len(p.bindings) == 0 {
		return []Reason{{p.object, "has no ValidatingAdmissionPolicyBinding", Open}}, nil
	}
	for _, b := range p.bindings {
		state, about, why := p.judgeBinding(b, who, attempt)
		if state == Limited {
			return nil, b
		}
		reasons = append(reasons, Reason{about, why, state})
	}
	return reasons, nil
}

// judgeBinding checks a policy with one binding; about is the object that the reason is about.
func (p *policy) judgeBinding(b *binding, who Requester, attempt Attempt) (state State, about *objects.Object, why string) {
	if b.problem != nil {
		return Unknown, b.object, unreadable
	}
	if !b.denies() {
		return Open, b.object, "does not deny: its validationActions are " + actions(b.spec.ValidationActions)
	}
	if slices.Contains(b.spec.ValidationActions, admissionv1.Warn) {
		return Open, b.object, "is refused by the API server: its validationActions are " + actions(b.spec.ValidationActions) + ", and Deny cannot be combined with Warn"
	}
	if why := notServed(b.object); why != "" {
		return Unknown, b.object, why
	}
	if b.spec.MatchResources != nil {
		if state, why := matches(b.spec.MatchResources, attempt); state != Limited {
			return state, b.object, why
		}
	}
	if state, why = p.programs.judge(who, attempt, paramsOf(p, b)); state != Limited {
		return state, p.object, why
	}
	if object, why := canUndo(who, p, b); object != nil {
		return Open, object, why
	}
	return Limited, p.object, ""
}

func actions(list []admissionv1.ValidationAction) string {
	if len(list) == 0 {
		return "empty"
	}
	texts := make([]string, len(list))
	for i, action := range list {
		texts[i] = string(action)
	}
	return joinList(texts, "and")
}

// params are the parameters of a policy.
type params struct {
	// declared is true if expressions can use them, null if they are null.
	declared, null bool
	// optional is true if nothing is denied without them.
	optional bool
}

func paramsOf(p *policy, b *binding) params {
	ref := b.spec.ParamRef
	known := params{declared: p.spec.ParamKind != nil, null: ref == nil}
	if known.declared && ref != nil {
		notFound := cmp.Or(deref(ref.ParameterNotFoundAction), admissionv1.DenyAction)
		known.optional = notFound == admissionv1.AllowAction
	}
	return known
}

func deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
