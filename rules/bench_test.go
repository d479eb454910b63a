package rules_test

import (
	"testing"

	"github.com/salint/salint/rules"
)

// BenchmarkLoad is what every start of the program pays.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := rules.Load(b.Context(), rules.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstExtension is what a run pays that meets ClusterExtensions and nothing else.
func BenchmarkFirstExtension(b *testing.B) {
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
		if err := evaluator.Prepare(b.Context(), "ClusterExtension"); err != nil {
			b.Fatal(err)
		}
	}
}
