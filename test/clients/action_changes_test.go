package clients

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gate is a change that a reviewer must see, and the same change without its danger.
type gate struct {
	// file is what changes, and files are beside it, in a folder of their own. DIR is that folder.
	file                   string
	before, danger, beside string
	files                  map[string]string
}

const (
	applied = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: DIR, namespace: flux-system}\n" +
		"spec: {interval: 5m, path: ./DIR/quiet, prune: true, sourceRef: {kind: GitRepository, name: DIR}SETTING}\n---\n" +
		"apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: DIR, namespace: flux-system}\nspec: {interval: 1m, url: https://git.example.com/org/repo}\n"
	release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: DIR, namespace: apps}\n" +
		"spec: {interval: 5m, chart: {spec: {chart: web, version: 1.0.0, sourceRef: {kind: HelmRepository, name: DIR}}}}\n---\n" +
		"apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: DIR, namespace: apps}\nspec: {url: https://charts.example.com}\n"
	extension = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: DIR}\n" +
		"spec: {namespace: web, source: {sourceType: Catalog, catalog: {packageName: web, version: 1.0.0}}}\n"
	encrypted = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: DIR}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ROLE}\n" +
		"subjects: [{kind: User, name: ann}]\nsops: {version: 3.9.0, mac: 'ENC[AES256_GCM,data:YQ==,type:str]'}\n"
	quietMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: DIR, namespace: apps}\n"
)

func account(name string) string {
	return fmt.Sprintf("{kind: ServiceAccount, name: %s, namespace: apps}", name)
}

func gates() map[string]gate {
	role := func(rules string) string {
		return "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: DIR}\nrules: [" + rules + "]\n"
	}
	unit := func(setting, path string) string {
		return strings.NewReplacer("SETTING", setting, "DIR/quiet", "DIR/"+path).Replace(applied)
	}
	quiet := map[string]string{"quiet/a.yaml": quietMap, "powerful/a.yaml": granted("DIR", "cluster-admin", account("DIR"))}
	variable := map[string]string{"quiet/a.yaml": granted("DIR", "'${role}'", account("DIR"))}
	part := map[string]string{"quiet/a.yaml": role("{apiGroups: [''], resources: [secrets], verbs: [get]}"), "cluster/b.yaml": granted("DIR", "DIR-all", account("DIR")) +
		"---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: DIR-all}\naggregationRule: {clusterRoleSelectors: [{matchLabels: {part: DIR}}]}\n"}
	chart := "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: db, version: 1.0.0, repository: https://ONE.example.com}]\n"
	pods := "{apiGroups: [''], resources: [pods], verbs: [get]}"
	return map[string]gate{
		"role":    {"a.yaml", role(pods), role("{apiGroups: [''], resources: [secrets], verbs: [get]}"), role(pods) + "# reviewed\n", map[string]string{"b.yaml": granted("DIR", "DIR", account("DIR"))}},
		"path":    {"cluster/app.yaml", unit("", "quiet"), unit("", "powerful"), unit(", wait: true", "quiet"), quiet},
		"labels":  {"cluster/app.yaml", unit("", "quiet"), unit(", commonMetadata: {labels: {part: DIR}}", "quiet"), unit(", commonMetadata: {labels: {team: DIR}}", "quiet"), part},
		"value":   {"cluster/app.yaml", unit(", postBuild: {substitute: {role: view}}", "quiet"), unit(", postBuild: {substitute: {role: cluster-admin}}", "quiet"), unit(", postBuild: {substitute: {role: view, size: big}}", "quiet"), variable},
		"secret":  {"a.yaml", strings.ReplaceAll(encrypted, "ROLE", "view"), strings.ReplaceAll(encrypted, "ROLE", "'ENC[AES256_GCM,data:Yg==,type:str]'"), strings.ReplaceAll(strings.ReplaceAll(encrypted, "ROLE", "view"), "YQ==", "Yw=="), nil},
		"chart":   {"Chart.yaml", chart, strings.Replace(chart, "ONE", "two", 1), strings.Replace(chart, "db, version: 1.0.0", "db, version: 1.0.1", 1), map[string]string{"templates/a.yaml": quietMap}},
		"release": {"a.yaml", release, strings.Replace(release, "spec: {interval", "spec: {values: {rbac: {create: true}}, interval", 1), strings.Replace(release, "5m", "6m", 1), nil},
		"package": {"a.yaml", extension, strings.Replace(extension, "packageName: web", "packageName: other", 1), strings.Replace(extension, "1.0.0", "1.1.0", 1), nil},
	}
}

// The action on eight pull requests that bring power or what cannot be read, and on the same without it.
func TestActionOfChanges(t *testing.T) {
	t.Parallel()
	act := client(t, "act", installTools)
	dir, home := t.TempDir(), t.TempDir()
	before, after := map[string]string{".salint.yaml": "exclude: [.github/**]\n"}, map[string]string{}
	var steps, want strings.Builder
	steps.WriteString("name: review\non: [push]\njobs:\n  review:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v6\n        with: {fetch-depth: 0}\n")
	for _, name := range slices.Sorted(maps.Keys(gates())) {
		g := gates()[name]
		for _, folder := range []string{name, name + "-quiet"} {
			in := func(text string) string { return strings.ReplaceAll(text, "DIR", folder) }
			for file, text := range g.files {
				before[folder+"/"+file] = in(text)
			}
			before[folder+"/"+g.file], after[folder+"/"+g.file] = in(g.before), in(g.danger)
			outcome := "failure"
			if folder != name {
				after[folder+"/"+g.file], outcome = in(g.beside), "success"
			}
			fmt.Fprintf(&steps, "      - id: %[1]s\n        continue-on-error: true\n        uses: ./.github/salint\n"+
				"        with: {paths: %[1]s, target: olm-1.11, permissions: true, changed-only: true, version: 0.1.0}\n", folder)
			fmt.Fprintf(&want, " %s=%s", folder, outcome)
		}
	}
	steps.WriteString("      - name: report\n        env:\n          SEEN: >-\n")
	for word := range strings.FieldsSeq(want.String()) {
		id, _, _ := strings.Cut(word, "=")
		fmt.Fprintf(&steps, "            %[1]s=${{ steps.%[1]s.outcome }}\n", id)
	}
	steps.WriteString("        run: |\n          echo \"changes: $SEEN\"\n")
	before[".github/workflows/review.yml"] = steps.String()
	newRepository(t, dir, before)
	base := git(t, dir, "rev-parse", "HEAD")
	for file, text := range after {
		write(t, filepath.Join(dir, filepath.FromSlash(file)), text)
	}
	copyProject(t, filepath.Join(dir, ".github", "salint"))
	commitAll(t, dir)
	event := filepath.Join(home, "event.json")
	write(t, event, fmt.Sprintf(`{"before": %q}`, base))
	released := map[string][]byte{}
	addRelease(t, released, "0.1.0", "", func(name string) string { return read(t, filepath.Join(salintFolder(t), name)) })
	out, code := command{
		t: t, dir: dir, name: act, args: append(actArguments(t, home, event), "--env", "SALINT_RELEASES="+serve(t, released)),
		env: []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home},
	}.run()
	if code != 0 {
		t.Errorf("act: exit code %d", code)
	}
	mustContain(t, out, "changes:"+want.String())
}
