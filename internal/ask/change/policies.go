package change

import (
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// Policy is an admission policy that is removed or changed.
type Policy struct {
	Kind, Namespace, Name string
	Effect                PolicyEffect
	Severity              finding.Severity
	// Place is the object in the state that has it, the later one if both do.
	Place objects.Position
	Units []string
}

// PolicyEffect is what becomes of a policy.
type PolicyEffect string

// The effects, the gravest first.
const (
	Removed       PolicyEffect = "removed"
	NoLongerDeny  PolicyEffect = "no-longer-denies"
	WithoutPolicy PolicyEffect = "without-policy"
	FailsOpen     PolicyEffect = "fails-open"
	Edited        PolicyEffect = "changed"
)

var policyEffects = []PolicyEffect{Removed, WithoutPolicy, NoLongerDeny, FailsOpen, Edited}

// The API groups of admission.
const (
	admissionGroup  = "admissionregistration.k8s.io"
	kyvernoGroup    = "kyverno.io"
	kyvernoNewGroup = "policies.kyverno.io"
	gatekeeperGroup = "constraints.gatekeeper.sh"
	templatesGroup  = "templates.gatekeeper.sh"
)

// PolicyKinds returns the kinds of admission policies that are compared. Constraints of Gatekeeper have a kind for each template: see
// ConstraintKinds.
func PolicyKinds() map[string][]string {
	return map[string][]string{
		"ValidatingAdmissionPolicy": nil, "ValidatingAdmissionPolicyBinding": nil,
		"ValidatingWebhookConfiguration": nil, "MutatingWebhookConfiguration": nil,
		"Policy": {kyvernoGroup}, "ClusterPolicy": {kyvernoGroup}, "ValidatingPolicy": {kyvernoNewGroup},
		"NamespacedValidatingPolicy": {kyvernoNewGroup}, "ConstraintTemplate": {templatesGroup},
	}
}

func isPolicy(o *objects.Object) bool {
	switch o.Group {
	case admissionGroup:
		_, known := PolicyKinds()[o.Kind]
		return known
	case kyvernoGroup:
		return o.Kind == "Policy" || o.Kind == "ClusterPolicy"
	}
	return o.Group == gatekeeperGroup || o.Group == templatesGroup || o.Group == kyvernoNewGroup
}

// policiesOf compares the admission policies of the two states of a unit.
func policiesOf(p pair, before *state) []Policy {
	after := map[id][]*objects.Object{}
	for _, o := range p.after.Objects {
		if isPolicy(o) {
			after[idOf(o)] = append(after[idOf(o)], o)
		}
	}
	var found []Policy
	for _, o := range p.before.Objects {
		if !isPolicy(o) {
			continue
		}
		now := sameObject(after, o)
		effect, place := effectOn(o, now), o
		if now != nil && denies(o) && losesPolicy(p, o, now) {
			effect = WithoutPolicy
		}
		if now != nil {
			place = now
		}
		if effect == "" {
			continue
		}
		severity := finding.Warning
		if !denies(o) {
			severity = finding.Note
		}
		found = append(found, Policy{o.Kind, o.Namespace, o.Name, effect, severity, place.Position(nil), before.names(o)})
	}
	return found
}

// losesPolicy reports whether a binding refers to a policy that only the earlier state contains, or to another one that is not in the
// repository.
func losesPolicy(p pair, then, now *objects.Object) bool {
	if now.Kind != "ValidatingAdmissionPolicyBinding" {
		return false
	}
	has := func(u *objects.Unit, binding *objects.Object) bool {
		return len(u.Find(objects.Query{Kind: "ValidatingAdmissionPolicy", Name: text(field(binding, "spec", "policyName"))})) > 0
	}
	return has(p.before, then) && !has(p.after, now)
}

// sameObject takes the object that another one has become: in the same file, otherwise any of its identity.
func sameObject(after map[id][]*objects.Object, o *objects.Object) *objects.Object {
	list := after[idOf(o)]
	if len(list) == 0 {
		return nil
	}
	i := max(0, slices.IndexFunc(list, func(other *objects.Object) bool { return other.File == o.File }))
	found := list[i]
	after[idOf(o)] = slices.Delete(slices.Clone(list), i, i+1)
	return found
}

// effectOn returns what becomes of a policy, "" if nothing; nil is a policy that does not exist.
func effectOn(before, after *objects.Object) PolicyEffect {
	switch {
	case after == nil:
		return Removed
	case denies(before) && !denies(after):
		return NoLongerDeny
	case !failsOpen(before) && failsOpen(after):
		return FailsOpen
	case !reflect.DeepEqual(content(before), content(after)):
		return Edited
	}
	return ""
}

// content is an object without its descriptive fields.
func content(o *objects.Object) map[string]any {
	out := map[string]any{}
	for key, value := range o.JSON() {
		if key != "metadata" && key != "status" && key != "apiVersion" {
			out[key] = value
		}
	}
	return out
}

func field(o *objects.Object, path ...string) any {
	var value any = o.JSON()
	for _, key := range path {
		fields, _ := value.(map[string]any)
		value = fields[key]
	}
	return value
}

func list(value any) []any {
	items, _ := value.([]any)
	return items
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// denies reports whether a policy can reject a request. A template of constraints, and a policy with an unknown form, can.
func denies(o *objects.Object) bool {
	switch {
	case o.Kind == "ValidatingAdmissionPolicyBinding", o.Group == kyvernoNewGroup:
		actions := list(field(o, "spec", "validationActions"))
		return slices.ContainsFunc(actions, func(a any) bool { return text(a) == "Deny" }) || o.Group == kyvernoNewGroup && len(actions) == 0
	case o.Kind == "ValidatingAdmissionPolicy":
		return slices.ContainsFunc(list(field(o, "spec", "validations")), func(validation any) bool {
			fields, _ := validation.(map[string]any)
			return strings.TrimSpace(text(fields["expression"])) != "true"
		})
	case o.Group == kyvernoGroup:
		return enforces(o)
	case o.Group == gatekeeperGroup:
		action := text(field(o, "spec", "enforcementAction"))
		return action == "" || action == "deny" || action == "scoped"
	case o.Group == admissionGroup:
		return len(list(field(o, "webhooks"))) > 0
	}
	return true
}

// enforces reports whether a policy of Kyverno, or one of its rules, rejects requests.
func enforces(o *objects.Object) bool {
	is := func(value any) bool { return strings.EqualFold(text(value), "enforce") }
	if is(field(o, "spec", "validationFailureAction")) {
		return true
	}
	return slices.ContainsFunc(list(field(o, "spec", "rules")), func(rule any) bool {
		fields, _ := rule.(map[string]any)
		validate, _ := fields["validate"].(map[string]any)
		return is(validate["failureAction"])
	})
}

// failsOpen reports whether requests are admitted while a policy cannot be evaluated.
func failsOpen(o *objects.Object) bool {
	if text(field(o, "spec", "failurePolicy")) == "Ignore" {
		return true
	}
	return slices.ContainsFunc(list(field(o, "webhooks")), func(webhook any) bool {
		fields, _ := webhook.(map[string]any)
		return text(fields["failurePolicy"]) == "Ignore"
	})
}

// mergedPolicies joins what is the same in several units, and sorts it.
func mergedPolicies(all []Policy) []Policy {
	type key struct {
		kind, namespace, name string
		effect                PolicyEffect
	}
	at := map[key]int{}
	var merged []Policy
	for _, p := range all {
		k := key{p.Kind, p.Namespace, p.Name, p.Effect}
		if i, known := at[k]; known {
			merged[i].Units = append(merged[i].Units, p.Units...)
			continue
		}
		at[k] = len(merged)
		merged = append(merged, p)
	}
	for i := range merged {
		slices.Sort(merged[i].Units)
		merged[i].Units = slices.Compact(merged[i].Units)
	}
	slices.SortStableFunc(merged, func(a, b Policy) int {
		if order := slices.Index(policyEffects, a.Effect) - slices.Index(policyEffects, b.Effect); order != 0 {
			return order
		}
		return compareText(a.Kind, b.Kind, a.Namespace, b.Namespace, a.Name, b.Name)
	})
	return merged
}
