// Package policies reads admission policies of all engines: what they reject, change, and leave out.
package policies

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/kube/objects"
)

// The API groups of admission.
const (
	Group           = "admissionregistration.k8s.io"
	kyvernoGroup    = "kyverno.io"
	kyvernoNewGroup = "policies.kyverno.io"
	ConstraintGroup = "constraints.gatekeeper.sh"
	templatesGroup  = "templates.gatekeeper.sh"
)

// Kinds returns the kinds of admission policies that are compared. Constraints of Gatekeeper have a kind for each template: see
// FurtherKinds.
func Kinds() map[string][]string {
	return map[string][]string{
		"ValidatingAdmissionPolicy": nil, "ValidatingAdmissionPolicyBinding": nil,
		"ValidatingWebhookConfiguration": nil, "MutatingWebhookConfiguration": nil,
		"Policy": {kyvernoGroup}, "ClusterPolicy": {kyvernoGroup}, "ValidatingPolicy": {kyvernoNewGroup},
		"NamespacedValidatingPolicy": {kyvernoNewGroup}, "ImageValidatingPolicy": {kyvernoNewGroup}, "NamespacedImageValidatingPolicy": {kyvernoNewGroup},
		"ConstraintTemplate": {templatesGroup},
	}
}

// Is reports whether an object is an admission policy that is compared by what it rejects.
func Is(o *objects.Object) bool {
	switch o.Group {
	case Group:
		_, known := Kinds()[o.Kind]
		return known
	case kyvernoGroup:
		return o.Kind == "Policy" || o.Kind == "ClusterPolicy"
	}
	return o.Group == ConstraintGroup || o.Group == templatesGroup || o.Group == kyvernoNewGroup && strings.HasSuffix(o.Kind, "ValidatingPolicy")
}

// Denies reports whether a policy can reject a request. A template of constraints, and a policy with an unknown form, can.
func Denies(o *objects.Object) bool {
	switch {
	case o.Kind == "ValidatingAdmissionPolicyBinding", o.Group == kyvernoNewGroup:
		actions := jsonfield.List(jsonfield.At(o, "spec", "validationActions"))
		return slices.ContainsFunc(actions, func(a any) bool { return jsonfield.Text(a) == "Deny" }) || o.Group == kyvernoNewGroup && len(actions) == 0
	case o.Kind == "ValidatingAdmissionPolicy":
		return slices.ContainsFunc(jsonfield.List(jsonfield.At(o, "spec", "validations")), func(validation any) bool {
			fields, _ := validation.(map[string]any)
			return strings.TrimSpace(jsonfield.Text(fields["expression"])) != "true"
		})
	case o.Group == kyvernoGroup:
		return enforces(o)
	case o.Group == ConstraintGroup:
		action := jsonfield.Text(jsonfield.At(o, "spec", "enforcementAction"))
		return action == "" || action == "deny" || action == "scoped"
	case o.Group == Group:
		return len(jsonfield.List(jsonfield.At(o, "webhooks"))) > 0
	}
	return true
}

// enforces reports whether a policy of Kyverno, or one of its rules, rejects requests.
func enforces(o *objects.Object) bool {
	is := func(value any) bool { return strings.EqualFold(jsonfield.Text(value), "enforce") }
	if is(jsonfield.At(o, "spec", "validationFailureAction")) {
		return true
	}
	return slices.ContainsFunc(jsonfield.List(jsonfield.At(o, "spec", "rules")), func(rule any) bool {
		fields, _ := rule.(map[string]any)
		validate, _ := fields["validate"].(map[string]any)
		return is(validate["failureAction"])
	})
}

// FailsOpen reports whether requests are admitted while a policy cannot be evaluated.
func FailsOpen(o *objects.Object) bool {
	if jsonfield.Text(jsonfield.At(o, "spec", "failurePolicy")) == "Ignore" {
		return true
	}
	return slices.ContainsFunc(jsonfield.List(jsonfield.At(o, "webhooks")), func(webhook any) bool {
		fields, _ := webhook.(map[string]any)
		return jsonfield.Text(fields["failurePolicy"]) == "Ignore"
	})
}
