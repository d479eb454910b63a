package rendered_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/rendered"
)

func TestObject(t *testing.T) {
	type parts struct{ Group, Version, Kind, Namespace, Name, Wave string }
	tests := map[string]struct {
		in   map[string]any
		want parts
	}{
		"a group": {
			in: map[string]any{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": map[string]any{
				"name": "reader", "namespace": "shop", "annotations": map[string]any{"wave": "3"}}},
			want: parts{"rbac.authorization.k8s.io", "v1", "Role", "shop", "reader", "3"},
		},
		"the core group":   {in: map[string]any{"apiVersion": "v1", "kind": "Pod"}, want: parts{Version: "v1", Kind: "Pod"}},
		"nothing":          {},
		"other types":      {in: map[string]any{"apiVersion": 1, "kind": []any{}, "metadata": "x"}},
		"other types, too": {in: map[string]any{"metadata": map[string]any{"name": 1, "annotations": []any{}}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := rendered.Object{JSON: test.in}
			got := parts{o.Group(), o.Version(), o.Kind(), o.Namespace(), o.Name(), o.Annotation("wave")}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
