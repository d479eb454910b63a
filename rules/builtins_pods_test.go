package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/evalcontext"
)

// shop is a namespace with pods of several kinds.
var shop = map[string]string{
	"web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {template: {spec: {serviceAccountName: web, volumes: [{name: t, secret: {secretName: web-token}}]}}}
`,
	"account.yaml": `apiVersion: v1
kind: ServiceAccount
metadata: {name: web, namespace: shop}
automountServiceAccountToken: false
imagePullSecrets: [{name: web-token}]
`,
	"token.yaml": `apiVersion: v1
kind: Secret
metadata: {name: web-token, namespace: shop}
type: kubernetes.io/service-account-token
`,
	"runner.yaml": `apiVersion: example.com/v1
kind: Runner
metadata: {name: runner, namespace: shop}
spec: {template: {spec: {serviceAccount: runner}}}
`,
	"chart.yaml": `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: chart, namespace: argocd}
spec: {destination: {namespace: charted}, source: {chart: metrics}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: folder, namespace: argocd}
spec: {destination: {namespace: shop}, source: {path: shop}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: release, namespace: "${SPACE}"}
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: charts, namespace: argocd}
spec: {template: {spec: {destination: {namespace: "{{ .namespace }}"}, sources: [{chart: metrics}]}}}
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: folders, namespace: argocd}
spec: {template: {spec: {destination: {namespace: shop}, source: {path: shop}}}}
`,
}

// runner is a kind that the configuration adds.
var runner = objects.PodSpecKind{Group: "example.com", Kind: "Runner", Path: manifest.Path{"spec", "template", "spec"}}

func TestPodBuiltins(t *testing.T) {
	t.Parallel()
	w := worldOf(t, shop)
	w.PodSpecs = []objects.PodSpecKind{runner}
	tests := []struct{ object, expression, want string }{
		{"web.yaml#0/", `[p.account | some p in salint.pods(input.resource)]`, `["web"]`},
		{"web.yaml#0/", `salint.pods(input.resource)[0].account_path`, `["spec","template","spec","serviceAccountName"]`},
		{"runner.yaml#0/", `[p.alias | some p in salint.pods(input.resource)]`, `[true]`},
		{"account.yaml#0/", `salint.pods(input.resource)`, `[]`},
		{"web.yaml#0/", `[[a.mounted, a.mounted_by, a.accounts] | some a in salint.admission(input.resource)]`, `[[false,"account",["account.yaml#0/"]]]`},
		{"runner.yaml#0/", `[[a.mounted, a.mounted_by, a.pull_secrets] | some a in salint.admission(input.resource)]`, `[[true,"unknown",[]]]`},
		{"web.yaml#0/", `[[u.ref, u.mount, u.pulls] | some u in salint.secret_users("token.yaml#0/")]`, `[["account.yaml#0/",false,true],["web.yaml#0/",true,false]]`},
		{"web.yaml#0/", `salint.bringers("charted")`, `["chart.yaml#0/","chart.yaml#2/","chart.yaml#3/"]`},
		{"web.yaml#0/", `salint.bringers("shop")`, `["chart.yaml#2/","chart.yaml#3/"]`},
		{"web.yaml#0/", `salint.bringers("*")`, `["chart.yaml#0/","chart.yaml#2/","chart.yaml#3/"]`},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, askAboutPods(t, w, w.Unit.Object(test.object), test.expression)); diff != "" {
			t.Errorf("%s about %s: %s", test.expression, test.object, diff)
		}
	}
}

// askAboutPods evaluates an expression on an object of a rule that judges all kinds that embed a pod, and some more.
func askAboutPods(t *testing.T, w evalcontext.Context, object *objects.Object, expression string) string {
	t.Helper()
	kinds := strings.NewReplacer("kinds: [ConfigMap]", `kinds: [workloads, ServiceAccount, Secret]
#   context:
#     - Application.argoproj.io`, "kind: ConfigMap", "kind: Secret")
	evaluator := policyOf(t, rules.Options{PodSpecs: w.PodSpecs}, kinds,
		"report contains lib.finding([], json.marshal(answer)) if {\n\tinput.resource\n\tanswer := "+expression+"\n}\n")
	reports, err := evaluator.Evaluate(t.Context(), w, object)
	if err != nil || len(reports) == 0 {
		t.Fatalf("%s about %s: %d reports, %v", expression, object.Ref(), len(reports), err)
	}
	return reports[0].Message
}
