package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFilesThatAreNoYAML checks that files that cannot be read are reported with their places, and that the others are judged.
func TestFilesThatAreNoYAML(t *testing.T) {
	t.Parallel()
	const extension = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: harbor}\n" +
		"spec: {namespace: harbor, serviceAccount: {name: harbor-installer}}\n"
	out := lintTree(t, tree{
		"good.yaml":     extension,
		"picture.yaml":  "GIF89a\n\x01\x00\x00",
		"utf16.yaml":    "\xff\xfea\x00:\x001\x00",
		"jinja.yaml":    "{% for e in list %}\n" + extension + "{% endfor %}\n",
		"gotmpl.yaml":   "{{- range .list }}\n" + extension + "{{ end }}\n",
		"latin1.yaml":   extension + "# gr\xf6\xdfe\n",
		"elsewhere.yml": "kind: Other\n# gr\xf6\xdfe\n",
	}, "ignored")
	type place struct {
		Rule, File   string
		Line, Column int
	}
	var got []place
	for _, f := range out.Findings {
		got = append(got, place{f.Rule, f.File, f.Range.Line, f.Range.Column})
	}
	want := []place{
		{"olm/service-account-deprecated", "good.yaml", 4, 27},
		{"repo/not-checked", "gotmpl.yaml", 1, 1},
		{"repo/not-checked", "jinja.yaml", 1, 1},
		{"repo/unparsable", "latin1.yaml", 5, 5},
		{"repo/unparsable", "picture.yaml", 2, 2},
		{"repo/unparsable", "utf16.yaml", 1, 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
