package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
)

// TestSetLiteral checks that a text in a literal block stays in a literal block, and that its other lines do not change.
func TestSetLiteral(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ before, value, want string }{
		"a line is removed": {
			"patch: |-\n  - op: add\n    path: /a   \n\n  # kept\n  - op: remove\nlast: 1\n", "- op: add\n\n# kept\n- op: remove",
			"patch: |-\n  - op: add\n\n  # kept\n  - op: remove\nlast: 1\n",
		},
		"the last line is removed": {"- |\n  a: 1\n  b: 2\n- other\n", "a: 1\n", "- |\n  a: 1\n- other\n"},
		"the end of a file":        {"a: |-\n    b\n    c", "b", "a: |-\n    b"},
		"a line is added":          {"a: |\n  b\n", "b\nc: 2\n", "a: |\n  b\n  c: 2\n"},
		"windows":                  {"a: |\r\n  b\r\n  c\r\nd: 1\r\n", "c\n", "a: |\r\n  c\r\nd: 1\r\n"},
		"nothing changes":          {"a: |\n  b\n", "b\n", "a: |\n  b\n"},
		"does not fit a block":     {"a: |-\n  b\n", " b", "a: ' b'\n"},
		"an indicator":             {"a: |2-\n  b\n  c\n", "b", "a: b\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := manifest.Scan("f.yaml", []byte(tt.before))
			if err := file.Docs[0].Parse(); err != nil {
				t.Fatal(err)
			}
			path := manifest.Path{"0"}
			if file.Docs[0].Root.IsMapping() {
				path = manifest.Path{strings.SplitN(tt.before, ":", 2)[0]}
			}
			edit, err := file.Docs[0].SetScalar(path, tt.value)
			if err != nil {
				t.Fatal(err)
			}
			after, err := manifest.Apply(file.Data, []manifest.Edit{edit})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(after)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
