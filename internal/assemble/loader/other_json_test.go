package loader

import (
	"testing"

	"github.com/salint/salint/internal/files/manifest"
)

func TestOtherJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{ // comment "kind":
			"a": {"kind": "x"}, /* "apiVersion" */ "b": [1,],}`: true,
		`{"Statement": [{"Action": "sts:*" "Effect": "Allow"}]}`: true,
		`{ // comment
			"apiVersion": "v1", "metadata": {}}`: false,
		`{"kind": "Role", "rules": [}`: false,
		`{"a": "open`:                  true,
		`{"a": "\"", "kind": "x"`:      false,
		`/`:                            true,
	} {
		doc := manifest.Scan("x.json", []byte(text)).Docs[0]
		if isOtherJSON(doc) != want {
			t.Errorf("%s: %v", text, !want)
		}
		if isOtherJSON(manifest.Scan("x.yaml", []byte(text)).Docs[0]) {
			t.Errorf("%s: YAML counts as JSON", text)
		}
	}
}
