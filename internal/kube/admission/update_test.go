package admission_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
)

const (
	updateKyverno = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: p}
spec:
  validationFailureAction: Enforce
  rules:
    - name: r
      match: {any: [{resources: {kinds: [ClusterExtension]}}]}
      validate: {pattern: {spec: {serviceAccount: {name: "?*"}}}}
`
	updateCEL = `apiVersion: policies.kyverno.io/v1alpha1
kind: ValidatingPolicy
metadata: {name: p}
spec:
  validationActions: [Deny]
  matchConstraints:
    resourceRules: [{apiGroups: [olm.operatorframework.io], apiVersions: [v1], operations: [UPDATE], resources: [clusterextensions]}]
  validations: [{expression: "has(object.spec.serviceAccount)"}]
`
	updateGatekeeper = `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: {name: needs}
spec:
  crd: {spec: {names: {kind: Needs}}}
  targets: [{target: admission.k8s.gatekeeper.sh, rego: "package n\nviolation[{}] { not input.review.object.spec.serviceAccount }"}]
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: Needs
metadata: {name: p}
spec:
  enforcementAction: deny
  match: {kinds: [{apiGroups: [olm.operatorframework.io], kinds: [ClusterExtension]}]}
`
	updateKubewarden = `apiVersion: policies.kubewarden.io/v1
kind: ClusterAdmissionPolicy
metadata: {name: p}
spec:
  module: registry://ghcr.io/kubewarden/policies/cel-policy:v1.2.0
  mode: protect
  rules: [{apiGroups: [olm.operatorframework.io], apiVersions: [v1], operations: [UPDATE], resources: [clusterextensions]}]
  settings: {validations: [{expression: "has(object.spec.serviceAccount)"}]}
`
	updateVAP = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [olm.operatorframework.io], apiVersions: ["*"], operations: [UPDATE], resources: [clusterextensions]}]
  validations: [{expression: "object.spec.serviceAccount.name != ''"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny]}
`
)

// Each policy that rejects an extension without its account stands beside forms of it that do not.
func TestRejections(t *testing.T) {
	for name, c := range map[string]struct {
		text, old, new string
		want           []string
	}{
		"Kyverno":                        {text: updateKyverno, want: []string{"p certain"}},
		"Kyverno that audits":            {text: updateKyverno, old: "Enforce", new: "Audit"},
		"Kyverno for another kind":       {text: updateKyverno, old: "[ClusterExtension]", new: "[Pod]"},
		"Kyverno for any kind":           {text: updateKyverno, old: "[ClusterExtension]", new: `["*"]`, want: []string{"p certain"}},
		"Kyverno with a group":           {text: updateKyverno, old: "[ClusterExtension]", new: "[olm.operatorframework.io/v1/ClusterExtension]", want: []string{"p certain"}},
		"Kyverno for another group":      {text: updateKyverno, old: "[ClusterExtension]", new: "[example.org/v1/ClusterExtension]"},
		"Kyverno if present":             {text: updateKyverno, old: "serviceAccount:", new: "=(serviceAccount):"},
		"Kyverno that forbids":           {text: updateKyverno, old: "serviceAccount:", new: "X(serviceAccount):"},
		"Kyverno on a condition":         {text: updateKyverno, old: "serviceAccount:", new: "(serviceAccount):"},
		"Kyverno about another field":    {text: updateKyverno, old: "serviceAccount:", new: "source:"},
		"Kyverno for another name":       {text: updateKyverno, old: "kinds: [ClusterExtension]", new: "kinds: [ClusterExtension], names: [other-*]"},
		"Kyverno with an exclusion":      {text: updateKyverno, old: "      validate:", new: "      exclude: {any: [{resources: {kinds: [ClusterExtension]}}]}\n      validate:"},
		"Kyverno by any of two":          {text: updateKyverno, old: `pattern: {spec: {serviceAccount: {name: "?*"}}}`, new: "anyPattern: [{spec: {serviceAccount: {name: a}}}, {metadata: {name: a}}]"},
		"Kyverno by a condition to deny": {text: updateKyverno, old: `pattern: {spec: {serviceAccount: {name: "?*"}}}`, new: `deny: {conditions: {any: [{key: "{{ request.object.spec.serviceAccount.name || '' }}", operator: Equals, value: ""}]}}`, want: []string{"p possible"}},
		"an expression of Kyverno":       {text: updateCEL, want: []string{"p certain"}},
		"an expression that audits":      {text: updateCEL, old: "[Deny]", new: "[Audit]"},
		"an expression that is true":     {text: updateCEL, old: "has(object.spec.serviceAccount)", new: "!has(object.spec.serviceAccount) || true"},
		"Gatekeeper":                     {text: updateGatekeeper, want: []string{"p possible"}},
		"Gatekeeper that warns":          {text: updateGatekeeper, old: "enforcementAction: deny", new: "enforcementAction: warn"},
		"Gatekeeper for another kind":    {text: updateGatekeeper, old: "kinds: [ClusterExtension]", new: "kinds: [Namespace]"},
		"Gatekeeper about labels":        {text: updateGatekeeper, old: "input.review.object.spec.serviceAccount", new: "input.review.object.metadata.labels.team"},
		"Gatekeeper about any change":    {text: updateGatekeeper, old: "not input.review.object.spec.serviceAccount", new: "input.review.object.spec != input.review.oldObject.spec", want: []string{"p possible"}},
		"Kubewarden":                     {text: updateKubewarden, want: []string{"p certain"}},
		"Kubewarden monitors":            {text: updateKubewarden, old: "mode: protect", new: "mode: monitor"},
		"Kubewarden forbids the field":   {text: updateKubewarden, old: `"has(`, new: `"!has(`},
		"Kubewarden of pods":             {text: updateKubewarden, old: "resources: [clusterextensions]", new: "resources: [pods]"},
		"Kubewarden of one namespace":    {text: updateKubewarden, old: "kind: ClusterAdmissionPolicy", new: "kind: AdmissionPolicy", want: []string{"p certain"}},
		"Kubewarden by another module":   {text: updateKubewarden, old: "cel-policy:v1.2.0", new: "safe-labels:v1", want: []string{"p possible"}},
		"Kubewarden of every resource":   {text: strings.Replace(updateKubewarden, "clusterextensions", `"*"`, 1), old: "cel-policy:v1.2.0\n  mode: protect", new: "needs-service-account:v1", want: []string{"p possible"}},
		"Kubewarden of other fields":     {text: strings.NewReplacer("clusterextensions", `"*"`, "spec.serviceAccount", "metadata.labels").Replace(updateKubewarden), old: "cel-policy:v1.2.0", new: "safe-labels:v1"},
		"Gatekeeper by a parameter":      {text: updateGatekeeper, old: "not input.review.object.spec.serviceAccount }\"}]", new: "not input.review.object.spec[input.parameters.field] }\"}]\n---\napiVersion: constraints.gatekeeper.sh/v1beta1\nkind: Needs\nmetadata: {name: q}\nspec: {parameters: {field: serviceAccount}}", want: []string{"q possible"}},
		"Gatekeeper without a template":  {text: updateGatekeeper, old: "kind: Needs}", new: "kind: Other}", want: []string{"p possible"}},
		"the same for any kind":          {text: strings.Replace(updateGatekeeper, "kind: Needs}", "kind: Other}", 1), old: "kinds: [ClusterExtension]", new: `kinds: ["*"]`},
		"the API server":                 {text: updateVAP, want: []string{"p certain"}},
		"the API server, for creation":   {text: updateVAP, old: "[UPDATE]", new: "[CREATE]"},
		"the API server, ignoring":       {text: updateVAP, old: "  validations:", new: "  failurePolicy: Ignore\n  validations:"},
		"the API server, for labels":     {text: updateVAP, old: "  matchConstraints:", new: "  matchConstraints:\n    objectSelector: {matchLabels: {tier: gold}}"},
		"the API server, on a condition": {text: updateVAP, old: "  validations:", new: "  matchConditions: [{name: a, expression: \"object.metadata.name == 'other'\"}]\n  validations:"},
		"the API server, by user":        {text: updateVAP, old: "object.spec.serviceAccount.name != ''", new: "request.userInfo.username == 'a' || has(object.spec.serviceAccount)", want: []string{"p possible"}},
	} {
		t.Run(name, func(t *testing.T) {
			var policies []*objects.Object
			for _, doc := range manifest.Scan("policy.yaml", []byte(strings.Replace(c.text, c.old, c.new, 1))).Docs {
				if err := doc.Parse(); err != nil {
					t.Fatal(err)
				}
				policies = append(policies, objects.Objects(doc)...)
			}
			extension := func(spec map[string]any) map[string]any {
				return map[string]any{"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "metadata": map[string]any{"name": "tempo"}, "spec": spec}
			}
			found := admission.Rejections(policies, admission.Update{
				Group: "olm.operatorframework.io", Kind: "ClusterExtension", Resource: "clusterextensions", Name: "tempo", Field: []string{"spec", "serviceAccount"},
				Before: extension(map[string]any{"namespace": "tracing", "source": map[string]any{"name": "a"}, "serviceAccount": map[string]any{"name": "tempo-runner"}}),
				After:  extension(map[string]any{"namespace": "tracing", "source": map[string]any{"name": "a"}}),
			})
			var got []string
			for _, r := range found {
				sure := " possible"
				if r.Certain {
					sure = " certain"
				}
				got = append(got, r.Object.Name+sure)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("Rejections() (-want +got):\n%s", diff)
			}
		})
	}
}
