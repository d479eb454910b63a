package redact

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func TestValue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"a Secret": {
			in:   "{apiVersion: v1, kind: Secret, type: Opaque, metadata: {name: a, labels: {b: c}, annotations: {last: hunter2}}, data: {password: aHVudGVyMg==}, stringData: {n: '1'}}",
			want: "{apiVersion: v1, kind: Secret, type: Opaque, metadata: {name: a, labels: {b: c}, annotations: {last: '***'}}, data: {password: '***'}, stringData: {n: '***'}}",
		},
		"a misspelt field of a Secret": {
			in:   "{apiVersion: v1, kind: Secret, metadata: {name: a}, stringDate: {password: hunter2}}",
			want: "{apiVersion: v1, kind: Secret, metadata: {name: a}, '***': '***'}",
		},
		"a Secret in a template": {
			in:   "{kind: Template, metadata: {name: a}, objects: [{kind: ConfigMap, data: {a: b}}, {kind: Secret, metadata: {name: b}, data: {c: ZA==}}]}",
			want: "{kind: Template, metadata: {name: a}, objects: [{kind: ConfigMap, data: {a: b}}, {kind: Secret, metadata: {name: b}, data: {c: '***'}}]}",
		},
		"a manifest in a text": {
			in:   `{kind: ConfigMap, metadata: {name: a}, data: {m: "kind: Secret\ndata:\n  a: Yg==\n", n: "c"}}`,
			want: `{kind: ConfigMap, metadata: {name: a}, data: {m: "***", n: "c"}}`,
		},
		"a reference to a Secret": {
			in:   "{kind: HelmRelease, metadata: {name: a}, spec: {valuesFrom: [{kind: Secret, name: b}], replicas: 3}}",
			want: "{kind: HelmRelease, metadata: {name: a}, spec: {valuesFrom: [{kind: Secret, name: b}], replicas: 3}}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(decode(t, c.want), Value(decode(t, c.in))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	var object map[string]any
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	return object
}
