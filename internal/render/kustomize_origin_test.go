package render

import (
	"testing"

	"sigs.k8s.io/yaml"
)

// TestAnnotationsAreReadAsYAML compares the short way of reading an annotation with the parser.
func TestAnnotationsAreReadAsYAML(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "path: a.yaml\n", "path: ../base/my-app_1.yml\n", "path: ./-/x.json\n", "path: -a.yaml\n", "path: - a.yaml\n", "path: .yaml\n",
		"path: a.yaml\nref: v1\nrepo: https://example.com/x\n", "path: 'it''s.yaml'\n", "path: a.yaml # b.yaml\n", "path: 1.5\n",
		"configuredIn: kustomization.yaml\nconfiguredBy:\n  kind: ConfigMapGenerator\n", "path: a.yaml", "path: [\n", "path: -1e3.yaml\n",
		"path: --.yaml\n", "path: .inf.json\n", "path: ../../é.yaml\n", "path: a.yaml\n\n", "path: -/a.yaml\n", "path: ---/a.yaml\n",
	} {
		var want annotation
		if yaml.Unmarshal([]byte(text), &want) != nil {
			want = annotation{}
		}
		if got := readAnnotation(text); got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}
