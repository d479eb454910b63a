package charts_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// tree is a repository in memory.
type tree = filestest.Tree

func build(t *testing.T, files tree, s charts.Settings, o charts.Options) []*objects.Unit {
	t.Helper()
	o.Files = render.FromFS(files.FS())
	units, err := charts.Build(context.Background(), charts.Sets(files.Names(), o.Files, s), o)
	if err != nil {
		t.Fatal(err)
	}
	return units
}

const (
	metadata = "apiVersion: v2\nname: ops\nversion: 0.1.0\n"
	account  = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: {{ .Values.name }}\n"
)

func TestFind(t *testing.T) {
	t.Parallel()
	got := charts.Find([]string{
		"Chart.yaml", "charts/vendored/Chart.yaml", "a/Chart.yaml", "a/charts/b/Chart.yaml", "a/charts/b/charts/c/Chart.yaml",
		"a/examples/Chart.yaml", "b/values.yaml", "c/mycharts/d/Chart.yaml",
	})
	want := []string{".", "a", "a/examples", "c/mycharts/d"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Every set of values is a unit, named after what distinguishes it.
func TestSets(t *testing.T) {
	t.Parallel()
	files := tree{
		"ops/Chart.yaml": metadata, "ops/values.yaml": "name: own\n", "ops/templates/a.yaml": account,
		"ops/ci/b-values.yaml": "name: b\n", "ops/ci/a-values.yaml": "name: a\n", "ops/ci/notes.yaml": "name: no\n",
		"envs/prod.yaml": "name: prod\n", "envs/eu.yaml": "name: eu\n",
	}
	settings := charts.Settings{Charts: map[string]charts.Chart{
		"ops": {Values: [][]string{{"envs/prod.yaml", "envs/eu.yaml"}, {"ops/ci/a-values.yaml"}, {"envs/gone.yaml"}}},
	}}
	got := map[string]string{}
	for _, u := range build(t, files, settings, charts.Options{}) {
		for _, o := range u.Objects {
			got[u.Name] += o.Name
		}
		for _, p := range u.Problems {
			got[u.Name] += p.Message
		}
	}
	want := map[string]string{
		"ops": "own", "ops with ci/a-values.yaml": "a", "ops with ci/b-values.yaml": "b",
		"ops with envs/prod.yaml, envs/eu.yaml": "eu",
		"ops with envs/gone.yaml": "the chart ops was not checked with the values of envs/gone.yaml: the file does not exist " +
			"(paths are relative to the folder of the configuration)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A condition on an API version is rendered both ways if the user lists the version, and is reported as unknown otherwise.
func TestAPIVersions(t *testing.T) {
	t.Parallel()
	files := tree{
		"ops/Chart.yaml": metadata, "ops/values.yaml": "name: own\n",
		"ops/templates/a.yaml": "{{ if .Capabilities.APIVersions.Has \"example.com/v1\" }}\n" + account + "{{ end }}\n",
		"plain/Chart.yaml":     metadata, "plain/templates/a.yaml": strings.ReplaceAll(account, "{{ .Values.name }}", "plain"),
	}
	for _, test := range []struct {
		name     string
		settings charts.Settings
		want     map[string]string
	}{
		{"open", charts.Settings{}, map[string]string{
			"ops": "", "ops with API versions example.com/v1": "own", "plain": "plain"}},
		{"flag", charts.Settings{APIVersions: []string{"example.com/v1"}}, map[string]string{
			"ops": "", "ops with API versions example.com/v1": "own", "plain": "plain"}},
		{"configured", charts.Settings{Charts: map[string]charts.Chart{"ops": {APIVersions: []string{"example.com/v1"}}}},
			map[string]string{"ops": "own", "plain": "plain"}},
	} {
		got := map[string]string{}
		for _, u := range build(t, files, test.settings, charts.Options{}) {
			got[u.Name] = ""
			for _, o := range u.Objects {
				got[u.Name] += o.Name
			}
			for _, p := range u.Problems {
				got[u.Name] += p.Position.String()
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.name, diff)
		}
	}
}

// A field is traced to the line that wrote it, whether the line is literal, in a helper, or behind a byte order mark.
func TestTrace(t *testing.T) {
	t.Parallel()
	files := tree{
		"ops/Chart.yaml": metadata, "ops/values.yaml": "names: [one, two]\n",
		"ops/templates/_names.tpl": "{{ define \"ops.meta\" }}\nmetadata:\n  name: {{ . }}\n{{ end }}\n",
		"ops/templates/a.yaml": "\ufeff{{ range .Values.names }}\n---\napiVersion: v1\nkind: ServiceAccount\n" +
			"{{ include \"ops.meta\" . }}\nsecrets:\n  - name: é-{{ . }}\n{{ end }}",
		"ops/crds/c.yaml": "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nmetadata: {name: x}\n",
	}
	units := build(t, files, charts.Settings{}, charts.Options{})
	var got []string
	for _, o := range units[0].Objects {
		for _, path := range []string{"metadata.name", "secrets[0].name", ""} {
			p, err := manifest.ParsePath(path)
			if err != nil {
				t.Fatal(err)
			}
			file, span := o.Locate(p)
			got = append(got, o.Name+" "+o.Position(p).String()+" "+string(bytes.ReplaceAll(file.Data[span.Start:span.End], []byte("\n"), []byte("|"))))
		}
	}
	want := []string{
		"x ops/crds/c.yaml:3:12 name: x", "x ops/crds/c.yaml:1:1 kind: CustomResourceDefinition|apiVersion: apiextensions.k8s.io/v1|metadata: {name: x}",
		"x ops/crds/c.yaml:1:1 kind: CustomResourceDefinition|apiVersion: apiextensions.k8s.io/v1|metadata: {name: x}",
		"one ops/templates/_names.tpl:3:3 name: {{ . }}", "one ops/templates/a.yaml:7:5 name: é-{{ . }}", "",
		"two ops/templates/_names.tpl:3:3 name: {{ . }}", "two ops/templates/a.yaml:7:5 name: é-{{ . }}", "",
	}
	for i := range want {
		if want[i] == "" {
			got[i] = ""
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, o := range units[0].Objects {
		template, err := charts.Of(o).Template()
		if err != nil || o.InFile() || string(o.Applied.Doc.File.Data) != template.Text {
			t.Errorf("%s: in a file: %t, of another text, or %v", o.Name, o.InFile(), err)
		}
	}
}

// A chart that cannot be rendered is reported with a position, and charts without relevant objects are not rendered.
func TestNotRendered(t *testing.T) {
	t.Parallel()
	files := tree{
		"a/Chart.yaml": metadata + "dependencies: [{name: common, version: 1.x}]\n", "a/templates/a.yaml": account,
		"b/Chart.yaml": metadata, "b/templates/a.yaml": "kind: ServiceAccount\n{{ fail \"no\" }}\n",
		"c/Chart.yaml": metadata + "type: library\n", "c/templates/_a.tpl": account,
		"d/Chart.yaml": metadata, "d/templates/a.yaml": "kind: ConfigMap\n{{ fail \"no\" }}\n",
		"e/Chart.yaml": metadata, "e/charts/x.tgz": "no archive", "e/templates/a.yaml": "kind: ConfigMap\n",
		"f/Chart.yaml": metadata, "f/templates/a.yaml": "kind: ServiceAccount\nmetadata:\n  a: {{ \"b: c\" }}\n",
		"g/Chart.yaml": "name: [\n", "g/templates/a.yaml": account,
	}
	var got []string
	for _, u := range build(t, files, charts.Settings{}, charts.Options{Mentions: func(text []byte) bool {
		return bytes.Contains(text, []byte("kind: ServiceAccount"))
	}}) {
		if u.NotBuilt == (u.Name == "c") || len(u.Objects) > 0 { // a library chart has nothing to render
			t.Errorf("%s was rendered", u.Name)
		}
		for _, p := range u.Problems {
			message, _, _ := strings.Cut(strings.TrimPrefix(p.Message, "the chart "+u.Name+" was not checked, because it cannot be rendered: "), ";")
			got = append(got, p.Position.String()+" "+message[:min(len(message), 40)])
		}
	}
	want := []string{
		"a/Chart.yaml:1:1 helm: dependencies missing in charts/: c",
		"b/templates/a.yaml:2:3 helm: execution error at (ops/templates/",
		"c/Chart.yaml:1:1 a library chart is not rendered by itsel",
		"e/Chart.yaml:1:1 helm: error unpacking subchart x.tgz in ",
		"f/templates/a.yaml:3:3 it does not render to valid YAML: mappin",
		"g/Chart.yaml:1:1 helm: cannot load Chart.yaml: error conv",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A template that renders differently each time cannot be traced to a line; the whole template is shown.
func TestClock(t *testing.T) {
	t.Parallel()
	files := tree{
		"ops/Chart.yaml":       metadata,
		"ops/templates/a.yaml": "kind: ServiceAccount\nmetadata:\n  name: a\n  labels: {at: \"{{ now | unixEpoch }}\"}\n",
	}
	units := build(t, files, charts.Settings{}, charts.Options{})
	if len(units[0].Problems) != 1 || units[0].Problems[0].Position.Line != 4 {
		t.Errorf("problems: %v", units[0].Problems)
	}
}
