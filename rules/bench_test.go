package rules_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/evaluate"
)

// BenchmarkLoad is the cost of every start of the program.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := rules.Load(b.Context(), rules.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstExtension is the cost of a run with ClusterExtensions only.
func BenchmarkFirstExtension(b *testing.B) {
	w := worldOf(b, map[string]string{"harbor.yaml": `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: harbor}
spec: {namespace: harbor, serviceAccount: {name: installer}}
`})
	for b.Loop() {
		registry, err := rules.Load(b.Context(), rules.Options{})
		if err != nil {
			b.Fatal(err)
		}
		selected, err := registry.Select(nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		evaluator, err := registry.Evaluator(b.Context(), selected)
		if err != nil {
			b.Fatal(err)
		}
		var selections []*evaluate.Selection
		for _, o := range w.Unit.Objects {
			selections = append(selections, evaluator.Select(w, o))
		}
		if err := evaluator.Compile(b.Context(), selections...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvaluate evaluates a repository of 200 clusters, each with an extension, its account, and its binding. The time
// is for the whole repository.
func BenchmarkEvaluate(b *testing.B) {
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("cluster%d/all.yaml", i)] = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: argocd}
spec:
  namespace: argocd
  serviceAccount: {name: installer}
  source: {sourceType: Catalog, catalog: {packageName: argocd-operator}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: installer, namespace: argocd}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: installer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: ServiceAccount, name: installer, namespace: argocd}]
`
	}
	found, err := uses.Find(b.Context(), func(yield func(string, []byte) bool) {
		for file, text := range files {
			if !yield(file, []byte(text)) {
				return
			}
		}
	}, []string{"installer"})
	if err != nil {
		b.Fatal(err)
	}
	mentions := found["installer"]
	registry, err := rules.Load(b.Context(), rules.Options{})
	if err != nil {
		b.Fatal(err)
	}
	selected, err := registry.Select(nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		evaluator, err := registry.Evaluator(b.Context(), selected)
		if err != nil {
			b.Fatal(err)
		}
		w := worldOf(b, files)
		w.Mentions = func(context.Context, objects.Account, *objects.Object) ([]uses.Place, error) {
			return mentions, nil
		}
		for _, object := range w.Unit.Objects {
			if _, err := evaluator.Evaluate(b.Context(), w, object); err != nil {
				b.Fatal(err)
			}
		}
	}
}
