package admission

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// The API groups of the policies of Kyverno and Gatekeeper.
const (
	kyvernoGroup    = "kyverno.io"
	kyvernoCELGroup = "policies.kyverno.io"
	constraintGroup = "constraints.gatekeeper.sh"
	templateGroup   = "templates.gatekeeper.sh"
)

// kyvernoPolicy is the part of a ClusterPolicy that decides which objects it rejects (Kyverno, api/kyverno/v1).
type kyvernoPolicy struct {
	Admission               *bool  `json:"admission"`
	ValidationFailureAction string `json:"validationFailureAction"`
	Rules                   []struct {
		Match    kyvernoMatch `json:"match"`
		Exclude  kyvernoMatch `json:"exclude"`
		Validate *struct {
			FailureAction string           `json:"failureAction"`
			Pattern       map[string]any   `json:"pattern"`
			AnyPattern    []map[string]any `json:"anyPattern"`
			CEL           *kyvernoCEL      `json:"cel"`
			Deny          any              `json:"deny"`
			ForEach       any              `json:"foreach"`
			Assert        any              `json:"assert"`
		} `json:"validate"`
	} `json:"rules"`
}

type kyvernoCEL struct {
	Expressions []admissionv1.Validation `json:"expressions"`
	Variables   []admissionv1.Variable   `json:"variables"`
	ParamKind   *admissionv1.ParamKind   `json:"paramKind"`
}

type kyvernoMatch struct {
	Any []kyvernoFilter `json:"any"`
	All []kyvernoFilter `json:"all"`
	kyvernoFilter
}

type kyvernoFilter struct {
	Resources kyvernoResources `json:"resources"`
	Roles     []string         `json:"roles"`
	Cluster   []string         `json:"clusterRoles"`
	Subjects  []any            `json:"subjects"`
}

type kyvernoResources struct {
	Kinds      []string              `json:"kinds"`
	Name       string                `json:"name"`
	Names      []string              `json:"names"`
	Namespaces []string              `json:"namespaces"`
	Operations []string              `json:"operations"`
	Selector   *metav1.LabelSelector `json:"selector"`
}

// kyvernoRejects reports whether a rule that is enforced requires the field. Patterns and expressions are evaluated, other forms count if
// they name the field.
func kyvernoRejects(o *objects.Object, u Update) (certain, rejects bool) {
	var p kyvernoPolicy
	if !decode(o.JSON()["spec"], &p) {
		return false, mentions(o.JSON()["spec"], u)
	}
	if p.Admission != nil && !*p.Admission {
		return false, false
	}
	for _, rule := range p.Rules {
		v := rule.Validate
		if v == nil || !rule.Match.selects(u, true) || rule.Exclude.selects(u, false) {
			continue
		}
		action := p.ValidationFailureAction
		if v.FailureAction != "" {
			action = v.FailureAction
		}
		if !strings.EqualFold(action, "Enforce") {
			continue
		}
		requires := func(pattern map[string]any) bool { return patternRequires(pattern, u.Field) }
		switch {
		case v.Pattern != nil && requires(v.Pattern):
			return true, true
		case len(v.AnyPattern) > 0 && !slices.ContainsFunc(v.AnyPattern, func(pattern map[string]any) bool { return !requires(pattern) }):
			return true, true
		case v.CEL != nil:
			programs := &programs{spec: &admissionv1.ValidatingAdmissionPolicySpec{ParamKind: v.CEL.ParamKind, Validations: v.CEL.Expressions, Variables: v.CEL.Variables}}
			if certain, rejects := programs.rejects(u, params{declared: v.CEL.ParamKind != nil}); rejects {
				return certain, true
			}
		case mentions([]any{v.Deny, v.ForEach, v.Assert}, u):
			rejects = true
		}
	}
	return false, rejects
}

// selects reports whether a match selects the object. Users and roles are not known: with possibly, a filter by them selects it.
func (m kyvernoMatch) selects(u Update, possibly bool) bool {
	matches := func(f kyvernoFilter) bool { return f.selects(u, possibly) }
	switch {
	case len(m.Any) > 0:
		return slices.ContainsFunc(m.Any, matches)
	case len(m.All) > 0:
		return !slices.ContainsFunc(m.All, func(f kyvernoFilter) bool { return !matches(f) })
	}
	return matches(m.kyvernoFilter)
}

func (f kyvernoFilter) selects(u Update, possibly bool) bool {
	r := f.Resources
	if len(f.Roles)+len(f.Cluster)+len(f.Subjects) > 0 && !possibly || len(r.Namespaces) > 0 {
		return false
	}
	names := r.Names
	if r.Name != "" {
		names = append(names, r.Name)
	}
	matchesName := func(pattern string) bool { return globMatches(pattern, u.Name) }
	matchesKind := func(pattern string) bool { return kyvernoKind(pattern, u) }
	return slices.ContainsFunc(r.Kinds, matchesKind) && (len(names) == 0 || slices.ContainsFunc(names, matchesName)) &&
		(len(r.Operations) == 0 || slices.Contains(r.Operations, string(admissionv1.Update))) && selectsLabels(r.Selector, u.Labels)
}

// kyvernoKind matches Kind, version/Kind, and group/version/Kind, with wildcards.
func kyvernoKind(pattern string, u Update) bool {
	parts := strings.Split(pattern, "/")
	if len(parts) > 1 && parts[len(parts)-1] != "*" && strings.ToLower(parts[len(parts)-1]) == parts[len(parts)-1] {
		return false // a subresource, such as Pod/status
	}
	return globMatches(parts[len(parts)-1], u.Kind) && (len(parts) < 3 || globMatches(parts[0], u.Group))
}

func globMatches(pattern, text string) bool {
	matches, err := path.Match(pattern, text)
	return err != nil || matches
}

// patternRequires reports whether an object without a field does not match a pattern of Kyverno. Of the anchors, only those without one
// and = lead further: (key) and <(key) skip the rule if the field does not match, and X(key) forbids it.
func patternRequires(pattern map[string]any, field []string) bool {
	for key, value := range pattern {
		name, ifPresent := key, false
		if inside, is := strings.CutPrefix(key, "=("); is {
			name, ifPresent = strings.TrimSuffix(inside, ")"), true
		}
		switch {
		case name != field[0]:
		case len(field) == 1:
			return !ifPresent && value != nil
		default:
			below, _ := value.(map[string]any)
			return patternRequires(below, field[1:])
		}
	}
	return false
}

// kyvernoCELRejects evaluates a ValidatingPolicy, whose fields are those of the API server's policies. It denies if no actions are set.
func kyvernoCELRejects(o *objects.Object, u Update) (certain, rejects bool) {
	var spec struct {
		admissionv1.ValidatingAdmissionPolicySpec
		ValidationActions []string `json:"validationActions"`
	}
	if !decode(o.JSON()["spec"], &spec) {
		return false, mentions(o.JSON()["spec"], u)
	}
	if len(spec.ValidationActions) > 0 && !slices.Contains(spec.ValidationActions, "Deny") || !u.matches(spec.MatchConstraints) {
		return false, false
	}
	return (&programs{spec: &spec.ValidatingAdmissionPolicySpec}).rejects(u, params{declared: spec.ParamKind != nil})
}

// mentions reports whether a value names the field, or compares the object with the old one, so that any change can be rejected.
func mentions(value any, u Update) bool {
	text, err := json.Marshal(value)
	return err != nil || strings.Contains(string(text), u.Field[len(u.Field)-1]) || strings.Contains(string(text), "oldObject")
}
