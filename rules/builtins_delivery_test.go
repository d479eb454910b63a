package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evalcontext"
)

// delivered is an extension with its binding, and an Application that applies both.
var delivered = map[string]string{
	"apps/extension.yaml": `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension # without a serviceAccount
metadata: {name: harbor, annotations: {argocd.argoproj.io/sync-options: Force=true}}
spec: {namespace: harbor}
`,
	"apps/rbac.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: harbor, annotations: {argocd.argoproj.io/sync-wave: "3"}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: harbor}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "olm:clusterextension:harbor"}]
`,
	"argo/application.yaml": `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: apps, namespace: argocd}
spec:
  source: {path: apps}
  syncPolicy: {syncOptions: [Replace=true]}
`,
}

// deliveredWorld returns a context with one unit, which the Application applies if known is true.
func deliveredWorld(t *testing.T, known bool) (w evalcontext.Context, extension, application *objects.Object) {
	t.Helper()
	w = worldOf(t, delivered)
	result := gitops.Read(w.Unit.Objects, gitops.Options{})
	if known {
		w.Delivery = delivery.New(w.Units, result, func(*objects.Unit) []*gitops.Application { return result.Applications })
	}
	return w, w.Unit.Find(objects.Query{Kind: "ClusterExtension"})[0], w.Unit.Find(objects.Query{Kind: "Application"})[0]
}

func TestDeliveryFunctions(t *testing.T) {
	t.Parallel()
	const user = `{"kind": "User", "name": "olm:clusterextension:harbor"}`
	const late = `[[g.ref, g.resource.kind, g.never, g.together, g.annotation, g.place] | some g in salint.late_grants(` + user + `)]`
	known, extension, application := deliveredWorld(t, true)
	unknown, alone, _ := deliveredWorld(t, false)
	for _, c := range []struct {
		name       string
		world      evalcontext.Context
		object     *objects.Object
		expression string
		want       string
	}{
		{"late", known, extension, late, `[["apps/rbac.yaml#0/","ClusterRoleBinding",false,true,"argocd.argoproj.io/sync-wave",{"path":[],"ref":""}]]`},
		{"late without applications", unknown, alone, late, `[["apps/rbac.yaml#0/","ClusterRoleBinding",false,true,"argocd.argoproj.io/sync-wave",{"path":[],"ref":""}]]`},
		{"late for a subject that is none", known, extension, `salint.late_grants({"kind": 3})`, `undefined`},
		{"dangers", known, extension, `salint.sync_dangers(input.resource)`, `[{"effect":"force","path":["metadata","annotations","argocd.argoproj.io/sync-options"],"what":"Force=true"}]`},
		{"dangers of no object", known, extension, `salint.sync_dangers({"kind": "Pod"})`, `undefined`},
		{"endangered by an extension", known, extension, `salint.endangered({"kind": "ClusterRoleBinding"})`, `[]`},
		{"endangered by a query for nothing", known, extension, `salint.endangered({"kind": "Pod", "name": ""})`, `undefined`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, c.world, c.object, c.expression)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	registry := load(t)
	evaluator, err := registry.Evaluator(t.Context(), []string{"olm/destructive-sync"})
	if err != nil {
		t.Fatal(err)
	}
	reports, err := evaluator.Evaluate(t.Context(), known, application)
	if err != nil || len(reports) != 1 || reports[0].Path.String() != "spec.syncPolicy.syncOptions[0]" || len(reports[0].Related) != 1 {
		t.Errorf("the Application endangers the extension, got %+v, %v", reports, err)
	}
}
