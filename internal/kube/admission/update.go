package admission

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
)

// Update is an update of a cluster-scoped object in version v1 by a user who is not known, such as a GitOps tool. It removes one field.
type Update struct {
	Group, Kind, Resource, Name string
	Labels                      map[string]string
	// Before and After are the whole object, Field is the path of the field.
	Before, After map[string]any
	Field         []string
	// Violations reports for inputs, which are JSON, whether they violate a template of Gatekeeper, or why that is not known; nil evaluates nothing.
	Violations func(template Template, inputs []string) ([]bool, error)
}

// Rejection is a policy that rejects an update because of the field that it removes. Certain is false if only its text shows that it concerns
// the field, because the policy cannot be evaluated.
type Rejection struct {
	Object  *objects.Object
	Certain bool
}

// Rejections returns the policies of the API server, Kyverno, Gatekeeper, and Kubewarden that reject an update, in the order of the objects. A policy that
// only warns or audits rejects nothing, and neither does one that rejects the object with the field, too.
func Rejections(policies []*objects.Object, u Update) (all []Rejection) {
	for _, p := range New(policies).policies {
		if certain, rejects := p.rejects(u); rejects {
			all = append(all, Rejection{p.object, certain})
		}
	}
	for _, o := range policies {
		certain, rejects := false, false
		switch {
		case o.Group == kyvernoGroup && o.Kind == "ClusterPolicy":
			certain, rejects = kyvernoRejects(o, u)
		case o.Group == kyvernoCELGroup && o.Kind == "ValidatingPolicy":
			certain, rejects = kyvernoCELRejects(o, u)
		case o.Group == kubewardenGroup && slices.Contains(kubewardenKinds, o.Kind):
			certain, rejects = kubewardenRejects(o, u)
		case o.Group == constraintGroup:
			certain, rejects = constraintRejects(o, policies, u)
		}
		if rejects {
			all = append(all, Rejection{o, certain})
		}
	}
	return all
}

// rejects reports whether one of the bindings that deny makes the policy reject an update.
func (p *policy) rejects(u Update) (certain, rejects bool) {
	if p.problem != nil || !u.matches(p.spec.MatchConstraints) {
		return false, false
	}
	for _, b := range p.bindings {
		if b.problem != nil || !b.denies() || b.spec.MatchResources != nil && !u.matches(b.spec.MatchResources) {
			continue
		}
		if certain, rejects := p.programs.rejects(u, paramsOf(p, b)); rejects {
			return certain, true
		}
	}
	return false, false
}

// matches reports whether constraints can select the object.
func (u Update) matches(m *admissionv1.MatchResources) bool {
	if m == nil || !selectsLabels(m.ObjectSelector, u.Labels) {
		return false
	}
	attempt := Attempt{Operation: string(admissionv1.Update), Group: u.Group, Resource: u.Resource, Name: u.Name}
	isSelected := func(rule admissionv1.NamedRuleWithOperations) bool {
		state, _ := ruleMatches(rule, attempt)
		return state != Open && namesMatch(rule.ResourceNames, u.Name)
	}
	return !slices.ContainsFunc(m.ExcludeResourceRules, isSelected) && (len(m.ResourceRules) == 0 || slices.ContainsFunc(m.ResourceRules, isSelected))
}

// selectsLabels reports whether a selector can select labels. One that the API server refuses selects everything here.
func selectsLabels(s *metav1.LabelSelector, of map[string]string) bool {
	selector, err := metav1.LabelSelectorAsSelector(s)
	return s == nil || err != nil || selector.Matches(labels.Set(of))
}

// rejects compares the validation of the object before and after the update. What cannot be evaluated counts if an expression names the
// field.
func (p *programs) rejects(u Update, given params) (certain, rejects bool) {
	names := mentions([]any{p.spec.Variables, p.spec.Validations}, u)
	if p.compile() != nil || p.spent.Load() > int64(totalTimeLimit) {
		return false, names
	}
	start := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	after := p.admits(ctx, u, u.After, given)
	before := p.admits(ctx, u, u.Before, given)
	p.spent.Add(int64(time.Since(start)))
	switch {
	case ctx.Err() != nil, after == Unknown:
		return false, names
	case after == Limited && before == Unknown:
		return false, names
	}
	return true, after == Limited && before == Open
}

// admits returns Open for an object that the policy admits, and Limited for one that it rejects.
func (p *programs) admits(ctx context.Context, u Update, object map[string]any, given params) State {
	in := newInput(Requester{}, Attempt{Operation: string(admissionv1.Update), Group: u.Group, Resource: u.Resource, Name: u.Name}, given)
	in.values["object"], in.values["oldObject"] = object, u.Before
	in.unknown = in.unknown[2:] // the first two are the objects
	in.setUnknown("request", "userInfo")
	in.setUnknown("authorizer")
	p.setVariables(ctx, in)
	state := Limited
	for _, condition := range p.conditions {
		switch in.evaluate(ctx, condition) {
		case types.True:
		case types.False:
			return Open
		default:
			state = Unknown
		}
	}
	fails := cmp.Or(deref(p.spec.FailurePolicy), admissionv1.Fail) != admissionv1.Ignore
	admits := Open
	for _, program := range p.validations {
		switch value := in.evaluate(ctx, program); {
		case value == types.True:
		case value == types.False, types.IsError(value) && fails:
			return state
		case types.IsUnknown(value):
			admits = Unknown
		}
	}
	return admits
}

var (
	requiredField = lazyregexp.New(`\bserviceAccount\b`)
	onlyAudits    = lazyregexp.New(`(?i)failureAction["']?:[ \t]*["']?audit|enforcementAction["']?:[ \t]*["']?(?:warn|dryrun)`)
)

// MayReject reports whether the text of a policy that is only known when a template is rendered names the kind and the field of an update. Few
// policies do, so nothing else about it needs to be known.
func (u Update) MayReject(text []byte) bool {
	lower := bytes.ToLower(text)
	return bytes.Contains(lower, []byte(strings.ToLower(u.Kind))) && requiredField().Match(text) && !onlyAudits().Match(text)
}

// decode reads a part of an object into a type of its API. It reports whether it has that type.
func decode(value, into any) bool {
	text, err := json.Marshal(value)
	return err == nil && json.Unmarshal(text, into) == nil
}
