// Package policies reads admission policies of all engines: what they reject, change, and leave out.
package policies

import (
	"reflect"
	"slices"
	"strings"

	"github.com/blang/semver/v4"

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
	sigstoreGroup   = "policy.sigstore.dev"
)

// Kinds returns the kinds of admission policies that are compared. Constraints of Gatekeeper have a kind for each template: see
// FurtherKinds.
func Kinds() map[string][]string {
	return map[string][]string{
		"ValidatingAdmissionPolicy": nil, "ValidatingAdmissionPolicyBinding": nil,
		"ValidatingWebhookConfiguration": nil, "MutatingWebhookConfiguration": nil,
		"Policy": {kyvernoGroup}, "ClusterPolicy": {kyvernoGroup}, "ValidatingPolicy": {kyvernoNewGroup},
		"NamespacedValidatingPolicy": {kyvernoNewGroup}, "ImageValidatingPolicy": {kyvernoNewGroup}, "NamespacedImageValidatingPolicy": {kyvernoNewGroup},
		"ConstraintTemplate": {templatesGroup}, "ClusterImagePolicy": {sigstoreGroup},
		"ClusterAdmissionPolicy": {kubewardenGroup}, "AdmissionPolicy": {kubewardenGroup},
		"ClusterAdmissionPolicyGroup": {kubewardenGroup}, "AdmissionPolicyGroup": {kubewardenGroup},
	}
}

// Is reports whether an object is an admission policy that is compared by what it rejects.
func Is(o *objects.Object) bool {
	switch o.Group {
	case Group, kubewardenGroup, sigstoreGroup:
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
	case o.Group == kubewardenGroup: // https://docs.kubewarden.io/reference/monitor-mode
		return jsonfield.Text(jsonfield.At(o, "spec", "mode")) != "monitor"
	case o.Group == sigstoreGroup: // https://docs.sigstore.dev/policy-controller/overview/: mode
		return jsonfield.Text(jsonfield.At(o, "spec", "mode")) != "warn"
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

// OnlyNewer reports whether a policy of Kubewarden only has a newer version of the same module: what that rejects is unknown.
func OnlyNewer(then, now *objects.Object) bool {
	was, old, tagged := lastCut(moduleOf(then), ":")
	is, newer, still := lastCut(moduleOf(now), ":")
	if then.Group != kubewardenGroup || !tagged || !still || was != is {
		return false
	}
	from, err := semver.ParseTolerant(old)
	to, invalid := semver.ParseTolerant(newer)
	return err == nil && invalid == nil && to.GT(from) && reflect.DeepEqual(withoutModule(then), withoutModule(now))
}

func moduleOf(o *objects.Object) string { return jsonfield.Text(jsonfield.At(o, "spec", "module")) }

// withoutModule returns what a policy decides except for its module.
func withoutModule(o *objects.Object) any {
	content := normalFields(jsonfield.Content(o))
	spec, _ := content["spec"].(map[string]any)
	delete(spec, "module")
	return content
}

// lastCut is strings.Cut at the last separator.
func lastCut(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
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
