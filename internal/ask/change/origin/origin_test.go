package origin_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/ask/change/origin"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][2]string{
		"https://github.com/a/b//base?ref=v1.2.3":                                            {"https://github.com/a/b//base", "v1.2.3"},
		"github.com/a/b/base?ref=refs%2Fpull%2F1%2Fhead&timeout=90s":                         {"github.com/a/b/base", "refs/pull/1/head"},
		"https://github.com/a/b":                                                             {"https://github.com/a/b", ""},
		"git::https://github.com/a/b?version=main":                                           {"https://github.com/a/b", "main"},
		"https://raw.githubusercontent.com/a/b/v1.2.3/x.yaml":                                {"https://raw.githubusercontent.com/a/b/*/x.yaml", "v1.2.3"},
		"https://raw.githubusercontent.com/a/b/refs/heads/main/x.yaml":                       {"https://raw.githubusercontent.com/a/b/*/x.yaml", "refs/heads/main"},
		"https://github.com/a/b/releases/download/v1.2.3/b-1.2.3.yaml":                       {"https://github.com/a/b/releases/download/*/b-*.yaml", "v1.2.3"},
		"https://git.example.org/a/b/-/raw/main/x.yaml":                                      {"https://git.example.org/a/b/-/raw/*/x.yaml", "main"},
		"https://10.0.0.1/previous/v0.50.0/release.yaml":                                     {"https://10.0.0.1/previous/*/release.yaml", "v0.50.0"},
		"https://github.com/a1.2/b?ref=v1":                                                   {"https://github.com/a1.2/b", "v1"},
		"https://example.org/x.yaml?team=a":                                                  {"https://example.org/x.yaml?team=a", ""},
		"https://github.com/a/b/releases/latest/download/install.yaml":                       {"https://github.com/a/b/releases/latest/download/install.yaml", ""},
		"https://github.com/a/b/raw/0123abc/deploy/install.yaml":                             {"https://github.com/a/b/raw/*/deploy/install.yaml", "0123abc"},
		"https://github.com/a/b/blob/refs/tags/v1/deploy/install.yaml":                       {"https://github.com/a/b/blob/*/deploy/install.yaml", "refs/tags/v1"},
		"https://storage.example.org/releases/pipeline/previous/v0.50.0/release.notags.yaml": {"https://storage.example.org/releases/pipeline/previous/*/release.notags.yaml", "v0.50.0"},
	} {
		source, revision := origin.Split(address)
		if diff := cmp.Diff(want, [2]string{source, revision}); diff != "" {
			t.Errorf("%s: %s", address, diff)
		}
	}
}

func TestIsUnreleased(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		before, after string
		want          bool
	}{
		{"v1.2.3", "v1.2.4", false},
		{"v1.2.3", "v1.1", false},
		{"1.2.3", "2.x", false},
		{"1.2.3", ">=1.2.3", false},
		{"kustomize/v4.5.6", "kustomize/v4.5.7", false},
		{"v1.2.3", "refs/pull/7/head", true},
		{"v1.2.3", "pull/7/merge", true},
		{"main", "refs/merge-requests/7/head", true},
		{"v1.2.3", "0123456789abcdef0123456789abcdef01234567", true},
		{"main", "0123456789abcdef0123456789abcdef01234567", true},
		{"fedcba9876", "0123456789abcdef0123456789abcdef01234567", false},
		{"0123456789abcdef0123456789abcdef01234567", "v1.2.3", false},
		{"v1.2.3", "main", true},
		{"v1.2.3", "", true},
		{"v1.2.3", "latest", true},
		{"v1.2.3", "refs/heads/v1.2.4", true},
		{"", "main", false},
		{"main", "try", true},
		{"release-1", "release-2", false},
		{"release-1.1", "release-1.2", false},
		{"latest", "sha256:0123", false},
		{"20240101", "20240201", false},
		{"main", "${BRANCH}", true},
	} {
		if got := origin.IsUnreleased(test.before, test.after); got != test.want {
			t.Errorf("%q to %q: %v, want %v", test.before, test.after, got, test.want)
		}
	}
}

func decode(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestSettingsOfKustomizations(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"subject.yaml": "[{op: add, path: /subjects/-, value: {kind: User, name: x}}]",
		"more.yaml":    "kind: Deployment\nspec: {replicas: 3}",
	}
	read := func(file string) []byte {
		if text, is := files[file]; is {
			return []byte(text)
		}
		return nil
	}
	for _, test := range []struct {
		name, before, after string
		want                []string
		same                bool
	}{
		{name: "the same", before: "{namespace: a}", after: "{namespace: a}", same: true},
		{name: "resources", before: "{resources: [a]}", after: "{resources: [a, b], images: [{name: x, newTag: v2}]}", same: true},
		{name: "namespace", before: "{namespace: a}", after: "{namespace: kube-system}", want: []string{"namespace"}},
		{name: "patch of a binding", after: "{patches: [{target: {kind: ClusterRoleBinding}, patch: '[{op: add, path: /subjects/-, value: {kind: User}}]'}]}", want: []string{"patches"}},
		{name: "patch in a file", after: "{patches: [{target: {kind: RoleBinding}, path: subject.yaml}]}", want: []string{"patches"}},
		{name: "patch of a workload", after: "{patches: [{path: more.yaml}]}"},
		{name: "patch of a target", after: "{patches: [{target: {kind: Deployment}, patch: '[{op: replace, path: /spec/replicas, value: 2}]'}]}"},
		{name: "account of a workload", after: "{patches: [{target: {kind: Deployment}, patch: '[{op: add, path: /spec/template/spec/serviceAccountName, value: a}]'}]}", want: []string{"patches"}},
		{name: "kind of a workload", after: "{patches: [{target: {kind: Deployment}, patch: '[{op: replace, path: /kind, value: ClusterRoleBinding}]'}]}", want: []string{"patches"}},
		{name: "removed patch", before: "{patches: [{patch: 'kind: ClusterRoleBinding'}]}", want: []string{"patches"}},
		{name: "labels of a binding", after: "{patches: [{target: {kind: RoleBinding}, patch: '[{op: add, path: /metadata/labels, value: {a: b}}]'}]}"},
		{name: "labels and a subject", after: "{patches: [{target: {kind: RoleBinding}, patch: '[{op: add, path: /metadata/labels, value: {a: b}}, {op: remove, path: /subjects/0}]'}]}", want: []string{"patches"}},
		{name: "a label for aggregation", after: "{patches: [{target: {kind: ClusterRole}, patch: '[{op: add, path: /metadata/labels, value: {rbac.authorization.k8s.io/aggregate-to-view: yes}}]'}]}", want: []string{"patches"}},
		{name: "several kinds", after: "{patches: [{target: {kind: Deployment|Role}, patch: '[{op: remove, path: /x}]'}]}", want: []string{"patches"}},
		{name: "label", after: "{commonLabels: {app: x}}", same: true},
		{name: "label for aggregation", after: "{labels: [{pairs: {rbac.authorization.k8s.io/aggregate-to-view: 'true'}}]}", want: []string{"labels"}},
		{name: "values of a chart", before: "{helmCharts: [{name: a, valuesInline: {rbac: {x: 1}, replicaCount: 1}}]}", after: "{helmCharts: [{name: a, valuesInline: {rbac: {x: 2}, replicaCount: 1}}]}", want: []string{"valuesInline.rbac.x"}},
		{name: "replicas of a chart", before: "{helmCharts: [{name: a, version: 1, valuesInline: {replicaCount: 1}}]}", after: "{helmCharts: [{name: a, version: 2, valuesInline: {replicaCount: 2}}]}"},
	} {
		deciding, differ := origin.Compare(origin.Kustomization(decode(t, test.before), read), origin.Kustomization(decode(t, test.after), read))
		if diff := cmp.Diff(test.want, deciding); diff != "" || differ == test.same {
			t.Errorf("%s: differ %v, %s", test.name, differ, diff)
		}
	}
}

func TestSettingsOfApplications(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, before, after string
		want                []string
		same                bool
	}{
		{name: "version", before: "{chart: {spec: {version: 1}}, interval: 1h}", after: "{chart: {spec: {version: 2}}, interval: 2h}", same: true},
		{name: "values", before: "{values: {a: {replicaCount: 1}}}", after: "{values: {a: {replicaCount: 2}}}"},
		{name: "values that decide", before: "{values: {mode: own}}", after: "{values: {mode: all}}", want: []string{"values.mode"}},
		{name: "a manifest in a harmless value", before: "{values: {env: a}}", after: "{values: {env: \"kind: ClusterRole\"}}", want: []string{"values.env"}},
		{name: "a ConfigMap", before: "{values: {configMaps: {main: {data: {a.conf: size 1}}}}}", after: "{values: {configMaps: {main: {data: {a.conf: size 2}}}}}"},
		{name: "a ConfigMap with roles", before: "{values: {configMaps: {main: {data: {a.conf: size 1}}}}}", after: "{values: {configMaps: {main: {data: {a.conf: \"mapRoles: x\"}}}}}", want: []string{"values.configMaps.main.data.a.conf"}},
		{name: "suspended", before: "{}", after: "{suspend: true}"},
		{name: "resumed", before: "{suspend: true}", after: "{}", want: []string{"suspend"}},
		{name: "Argo CD", before: "{source: {targetRevision: 1, helm: {values: 'rbac: {create: false}'}}}", after: "{source: {targetRevision: 2, helm: {values: 'rbac: {create: true}'}}}", want: []string{"values.rbac.create"}},
		{name: "parameters", before: "{source: {helm: {parameters: [{name: replicas, value: 1}]}}}", after: "{source: {helm: {parameters: [{name: replicas, value: 2}]}}}"},
		{name: "parameters that decide", before: "{source: {helm: {parameters: [{name: role, value: view}]}}}", after: "{source: {helm: {parameters: [{name: role, value: edit}]}}}", want: []string{"values.role"}},
		{name: "parameters of a plugin", before: "{source: {plugin: {parameters: [{name: replicas, string: a}]}}}", after: "{source: {plugin: {parameters: [{name: replicas, string: b}]}}}", want: []string{"plugin"}},
		{name: "patch", before: "{}", after: "{postRenderers: [{kustomize: {patches: [{patch: 'kind: ClusterRole'}]}}]}", want: []string{"patches"}},
		{name: "destination", before: "{destination: {namespace: a}}", after: "{destination: {namespace: b}}", want: []string{"destination"}},
	} {
		before, _ := decode(t, test.before).(map[string]any)
		after, _ := decode(t, test.after).(map[string]any)
		deciding, differ := origin.Compare(origin.Application(before), origin.Application(after))
		if diff := cmp.Diff(test.want, deciding); diff != "" || differ == test.same {
			t.Errorf("%s: differ %v, %s", test.name, differ, diff)
		}
	}
}

func TestCompareOfRevisionsAndAdditions(t *testing.T) {
	t.Parallel()
	revision := func(text string) origin.Setting {
		return origin.Setting{Name: "targetRevision", Text: text, IsRevision: true}
	}
	folder := func(text string) origin.Setting {
		return origin.Setting{Name: "path", Text: text, Decides: true, Adds: true}
	}
	for _, test := range []struct {
		name          string
		before, after origin.Setting
		want          []string
	}{
		{"a newer release", revision("v1.0.0"), revision("v1.1.0"), nil},
		{"a proposal", revision("v1.0.0"), revision("refs/pull/7/head"), []string{"targetRevision"}},
		{"another folder", folder("a"), folder("b"), []string{"path"}},
	} {
		if deciding, _ := origin.Compare([]origin.Setting{test.before}, []origin.Setting{test.after}); cmp.Diff(test.want, deciding) != "" {
			t.Errorf("%s: %v, want %v", test.name, deciding, test.want)
		}
	}
	if deciding, differ := origin.Compare([]origin.Setting{folder("a"), folder("b")}, []origin.Setting{folder("a")}); len(deciding) > 0 || !differ {
		t.Errorf("a folder that is gone decides: %v", deciding)
	}
}
