package docs

import (
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// The README names every input and output of the action, and no other.
func TestReadmeNamesInputsAndOutputs(t *testing.T) {
	t.Parallel()
	var action struct {
		Inputs  map[string]any
		Outputs map[string]any
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, "action.yml"))), &action); err != nil {
		t.Fatal(err)
	}
	readme := strings.Join(strings.Fields(read(t, filepath.Join(root, "README.md"))), " ")
	for title, want := range map[string]map[string]any{"Inputs: ": action.Inputs, "Outputs: ": action.Outputs} {
		_, list, found := strings.Cut(readme, title)
		list, _, ended := strings.Cut(list, ". ")
		if !found || !ended {
			t.Fatalf("README.md has no list %q", title)
		}
		named := strings.Count(list, "`") / 2
		for name := range want {
			if !strings.Contains(list, "`"+name+"`") {
				t.Errorf("README.md does not name %s among the %s", name, title)
			}
		}
		if named != len(want) {
			t.Errorf("README.md names %d under %q, the action has %d", named, title, len(want))
		}
	}
}
