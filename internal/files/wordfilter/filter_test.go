package wordfilter

import (
	"testing"

	"github.com/salint/salint/internal/files/manifest"
)

func TestFilter(t *testing.T) {
	t.Parallel()
	filter := New(map[string][]string{"ClusterExtension": nil, "Deployment": {"serviceAccount"}})
	for text, want := range map[string]bool{
		"kind: ClusterExtension\n":                          true,
		"kind: Deployment\nspec: {serviceAccountName: x}\n": true,
		"kind: Deployment\nspec: {}\n":                      false,
		"kind: Pod\nspec: {serviceAccountName: x}\n":        false,
		"kind: List\nitems:\n- kind: ClusterExtension\n":    true,
		"kind: List\nitems:\n- kind: Pod\n":                 false,
		"{{ if x }}\nkind: ClusterExtension\n{{ end }}\n":   true,
		"a: 1\n": false,
		`{"objects": [{"kind": "ClusterExtension"}]}`: true,
	} {
		if got := filter.Matches(manifest.Scan("test.yaml", []byte(text)).Docs[0]); got != want {
			t.Errorf("Matches(%q) = %v, want %v", text, got, want)
		}
	}
}
