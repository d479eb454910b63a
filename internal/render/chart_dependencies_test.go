package render_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render"
)

// TestDependencyBuilds renders a chart with each build of dependencies. A result is the templates with their files, or the error.
func TestDependencyBuilds(t *testing.T) {
	t.Parallel()
	chart := func(name, version, dependencies string) string {
		return "apiVersion: v2\nname: " + name + "\nversion: " + version + "\ndependencies: [" + dependencies + "]\n"
	}
	const one, two, remote = `{name: one, version: ^1.0.0, repository: "file://../one"}`, `{name: two, version: 1.x, repository: "file://../two", alias: second}`,
		`{name: far, version: 1.0.0, repository: "https://charts.example.com"}`
	template := "kind: {{ .Chart.Name }}\n"
	base := map[string]string{
		"one/Chart.yaml": chart("one", "1.1.0", ""), "one/templates/a.yaml": template,
		"two/Chart.yaml": chart("two", "1.2.0", `{name: three, version: 1.0.0, repository: "file://../three"}`), "two/templates/b.yaml": template,
		"three/Chart.yaml": chart("three", "1.0.0", ""), "three/templates/c.yaml": template,
	}
	whole := "kind: second in two/templates/b.yaml"
	tests := map[string]struct {
		files                map[string]string
		user, argo, flux, no string
	}{
		"two of the repository": {map[string]string{"ops/Chart.yaml": chart("ops", "1.0.0", one+", "+two)},
			"kind: one in one/templates/a.yaml, " + whole + ", kind: three in three/templates/c.yaml",
			"kind: one in one/templates/a.yaml, " + whole, "kind: one in one/templates/a.yaml, " + whole, "missing in charts/: one, two"},
		"one in charts/, which has the other version": {map[string]string{
			"ops/Chart.yaml": chart("ops", "1.0.0", one+", "+two), "ops/charts/one/Chart.yaml": chart("one", "1.0.0", ""), "ops/charts/one/templates/a.yaml": template},
			"both become part", "both become part", "kind: one in ops/charts/one/templates/a.yaml, " + whole, "missing in charts/: two"},
		"all in charts/": {map[string]string{
			"ops/Chart.yaml": chart("ops", "1.0.0", one), "ops/charts/one/Chart.yaml": chart("one", "1.0.0", ""), "ops/charts/one/templates/a.yaml": template},
			"kind: one in ops/charts/one/templates/a.yaml", "kind: one in ops/charts/one/templates/a.yaml", "kind: one in ops/charts/one/templates/a.yaml",
			"kind: one in ops/charts/one/templates/a.yaml"},
		"as many in charts/": {map[string]string{
			"ops/Chart.yaml": chart("ops", "1.0.0", one), "ops/charts/three/Chart.yaml": chart("three", "1.0.0", "")},
			"kind: one in one/templates/a.yaml", "kind: one in one/templates/a.yaml", "missing in charts/: one", "missing in charts/: one"},
		"an archive that is replaced": {map[string]string{
			"ops/Chart.yaml":           chart("ops", "1.0.0", one+", "+strings.Replace(two, "two", "three", 2)),
			"ops/charts/one-1.0.0.tgz": archive(t, map[string]string{"one/Chart.yaml": chart("one", "1.0.0", ""), "one/templates/old.yaml": template})},
			"kind: one in one/templates/a.yaml, kind: second in three/templates/c.yaml", "kind: one in one/templates/a.yaml, kind: second in three/templates/c.yaml",
			"kind: one in ops/charts/one-1.0.0.tgz, kind: second in three/templates/c.yaml", "missing in charts/: three"},
		"a copy in charts/": {map[string]string{
			"ops/Chart.yaml": chart("ops", "1.0.0", one+", "+strings.Replace(two, "two", "three", 2)), "ops/charts/one/Chart.yaml": base["one/Chart.yaml"], "ops/charts/one/templates/a.yaml": template},
			"kind: one in ops/charts/one/templates/a.yaml, kind: second in three/templates/c.yaml", "kind: one in ops/charts/one/templates/a.yaml, kind: second in three/templates/c.yaml",
			"kind: one in ops/charts/one/templates/a.yaml, kind: second in three/templates/c.yaml", "missing in charts/: three"},
		"a network": {map[string]string{"ops/Chart.yaml": chart("ops", "1.0.0", one+", "+remote)},
			"missing in charts/: far", "missing in charts/: far", "missing in charts/: far", "missing in charts/: one, far"},
		"a lock file of other dependencies": {map[string]string{"ops/Chart.yaml": chart("ops", "1.0.0", one),
			"ops/Chart.lock": "digest: x\ndependencies: [{name: one, version: 1.1.0, repository: \"file://../one\"}]\n"},
			"out of sync", "out of sync", "kind: one in one/templates/a.yaml", "missing in charts/: one"},
		"a lock file of these": {map[string]string{"ops/Chart.yaml": chart("ops", "1.0.0", `{name: one, version: 1.1.0, repository: "file://../one"}`),
			"ops/Chart.lock": "digest: sha256:7934db938a3d6a7dfbac0dc9d391e7adf793c13fff6d08fdb33b7f64912e1e60\ndependencies: [{name: one, version: 1.1.0, repository: \"file://../one\"}]\n"},
			"kind: one in one/templates/a.yaml", "kind: one in one/templates/a.yaml", "kind: one in one/templates/a.yaml", "missing in charts/: one"},
		"a version that the lock file does not allow": {map[string]string{"ops/Chart.yaml": chart("ops", "1.0.0", one),
			"ops/Chart.lock": "digest: x\ndependencies: [{name: one, version: 1.0.0, repository: \"file://../one\"}]\n"},
			"out of sync", "out of sync", `must have a version of "1.0.0"`, "missing in charts/: one"},
		"an ignored archive": {map[string]string{"ops/Chart.yaml": chart("ops", "1.0.0", one), "ops/.helmignore": "*.tgz\n"},
			".helmignore excludes", ".helmignore excludes", "kind: one in one/templates/a.yaml", "missing in charts/: one"},
		"above the top": {map[string]string{"ops/Chart.yaml": chart("ops", "1.0.0", strings.Replace(one, "..", "../../..", 1))},
			"leads out of it", "leads out of it", "kind: one in one/templates/a.yaml", "missing in charts/: one"},
		"the chart itself": {map[string]string{"ops/Chart.yaml": chart("ops", "1.0.0", `{name: ops, version: 1.0.0, repository: "file://../ops"}`)},
			"leads back", "leads back", "leads back", "missing in charts/: ops"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := maps.Clone(base)
			maps.Copy(files, test.files)
			for by, want := range map[render.DependencyBuild]string{
				render.BuiltByUser: test.user, render.BuiltByArgoCD: test.argo, render.BuiltByFlux: test.flux, render.NotBuilt: test.no,
			} {
				got := builtWith(t, files, by)
				if !strings.Contains(got, want) || strings.HasPrefix(want, "kind") && got != want {
					t.Errorf("build %d: %s", by, cmp.Diff(want, got))
				}
			}
		})
	}
}

func builtWith(t *testing.T, files map[string]string, by render.DependencyBuild) string {
	templates, err := render.Templates(t.Context(), tree(files), "ops", render.ChartOptions{Dependencies: by})
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, template := range templates {
		all = append(all, strings.TrimSpace(template.Text)+" in "+template.File)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
