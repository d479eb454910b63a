package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/test/long"
)

// variant is a change of a repository, and what diff must say about it: the class of a warning, or passes.
type variant struct {
	name          string
	before, after map[string]string
	want          string
}

const (
	passes = "passes"
	// warns is a warning of any class: what a template makes can be one or the other.
	warns = "warns"
)

// fewer is the part of the variants that is tried unless all are asked for: each takes as long as a golden case.
const fewer = 8

// TestVariantsOfChanges crosses causes of new power with tools and places. Each dangerous change is also made without its danger, and
// then diff must pass.
func TestVariantsOfChanges(t *testing.T) {
	t.Parallel()
	all := map[string]variant{}
	for _, v := range slices.Concat(acrossUnits(), beginningToApply(), setByApplications(), sourcesOfOthers(), substituted(), templated(), extended(), linked(), generatedArtifacts(), fetched()) {
		all[v.name] = v
	}
	for _, name := range long.Part(all, fewer) {
		v := all[name]
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			if got, out := diffOf(t, v); got != v.want && (v.want != warns || got == passes) {
				t.Errorf("got %s, want %s\n%s", got, v.want, out)
			}
		})
	}
}

var classOfWarning = regexp.MustCompile(`\b(power|unread): [0-9]+`)

// diffOf makes a change, and returns what diff says about it.
func diffOf(t *testing.T, v variant) (class, out string) {
	t.Helper()
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q", "-b", "main")
	gitIn(t, dir, "remote", "add", "origin", "https://git.example.com/org/repo")
	writeWithLinks(t, dir, v.before)
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "-m", "before")
	writeWithLinks(t, dir, v.after)
	out, code := runIn(t, dir, "diff", "HEAD")
	found := classOfWarning.FindStringSubmatch(out)
	switch {
	case code == exitOK:
		return passes, out
	case code == exitFindings && found != nil:
		return found[1], out
	}
	return fmt.Sprintf("exit code %d", code), out
}

func with(files map[string]string, pairs ...string) map[string]string {
	all := maps.Clone(files)
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i]] = pairs[i+1]
	}
	return all
}

func changed(pairs ...string) map[string]string { return with(map[string]string{}, pairs...) }

const (
	separator   = "---\n"
	readPods    = `[{apiGroups: [""], resources: [pods], verbs: [get]}]`
	anySecret   = `[{apiGroups: [""], resources: [secrets], verbs: [get, list, "*"]}]`
	quietObject = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: apps}\n"
)

func roleOf(name, labels, rules string) string {
	return fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: %s, labels: {%s}}\nrules: %s\n", name, labels, rules)
}

func bindingOf(name, role string) string {
	return fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: %s}\n"+
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}\n"+
		"subjects: [{kind: ServiceAccount, name: %[1]s, namespace: apps}]\n", name, role)
}

func accountOf(name string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: %s, namespace: apps}\n", name)
}

func deploymentOf(account, image string) string {
	return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: apps}\nspec:\n  selector: {matchLabels: {app: web}}\n"+
		"  template:\n    metadata: {labels: {app: web}}\n    spec: {serviceAccountName: %s, containers: [{name: web, image: %s}]}\n", account, image)
}

// aggregating has the rules of all roles with the label part: shared.
const aggregating = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: shared}\n" +
	"aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: shared}}]}\nrules: []\n"

const fluxSource = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\n" +
	"spec: {interval: 1m, url: https://git.example.com/org/repo, ref: {branch: main}}\n"

// tool is what applies folders of the repository.
type tool struct {
	name string
	// files apply folders to one cluster; more are lines of the specification of the first application.
	files func(cluster, more string, folders ...string) map[string]string
}

func tools() []tool {
	return []tool{{"flux", fluxFiles}, {"argocd", argoFiles}, {"applicationset", setFiles}}
}

func fluxFiles(cluster, more string, folders ...string) map[string]string {
	files := map[string]string{"clusters/" + cluster + "/source.yaml": fluxSource}
	for i, folder := range folders {
		files[fmt.Sprintf("clusters/%s/app%d.yaml", cluster, i)] = fmt.Sprintf("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"+
			"metadata: {name: app%d, namespace: flux-system}\nspec:\n  interval: 10m\n  path: ./%s\n  prune: true\n"+
			"  sourceRef: {kind: GitRepository, name: flux-system}\n%s", i, folder, more)
		more = ""
	}
	return files
}

func argoFiles(cluster, more string, folders ...string) map[string]string {
	files := map[string]string{}
	for i, folder := range folders {
		files[fmt.Sprintf("argocd/%s-%d.yaml", cluster, i)] = fmt.Sprintf("apiVersion: argoproj.io/v1alpha1\nkind: Application\n"+
			"metadata: {name: %s-%d, namespace: argocd}\nspec:\n  project: default\n"+
			"  source: {repoURL: https://git.example.com/org/repo, targetRevision: HEAD, path: %s}\n"+
			"  destination: {server: 'https://%[1]s.example.com', namespace: apps}\n%[4]s", cluster, i, folder, more)
		more = ""
	}
	return files
}

func setFiles(cluster, more string, folders ...string) map[string]string {
	var elements strings.Builder
	for i, folder := range folders {
		fmt.Fprintf(&elements, "      - {name: %s-%d, path: %s}\n", cluster, i, folder)
	}
	return map[string]string{"argocd/" + cluster + ".yaml": fmt.Sprintf("apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\n"+
		"metadata: {name: %s, namespace: argocd}\nspec:\n  generators:\n  - list:\n      elements:\n%s  template:\n    metadata: {name: '{{name}}'}\n"+
		"    spec:\n      project: default\n      source: {repoURL: https://git.example.com/org/repo, targetRevision: HEAD, path: '{{path}}'}\n"+
		"      destination: {server: 'https://%[1]s.example.com', namespace: apps}\n%[3]s", cluster, elements.String(), more)}
}

// acrossUnits are roles, parts of roles, and pods whose bindings another unit of the cluster has, or one of another cluster.
func acrossUnits() (all []variant) {
	type cause struct{ name, bound, before, after, twin string }
	causes := []cause{
		{"a role is widened", bindingOf("runner", "shared"), roleOf("shared", "", readPods), roleOf("shared", "", anySecret), roleOf("shared", "team: a", readPods)},
		{"a part is widened", aggregating + separator + bindingOf("runner", "shared"), roleOf("one", "part: shared", readPods), roleOf("one", "part: shared", anySecret),
			roleOf("one", "part: other", anySecret)},
		{"a pod runs as an administrator", accountOf("admin") + separator + bindingOf("admin", "cluster-admin") + separator + accountOf("weak"), deploymentOf("weak", "a"),
			deploymentOf("admin", "a"), deploymentOf("weak", "b")},
	}
	for _, tool := range tools() {
		for _, c := range causes {
			name := c.name + ", " + tool.name
			bound := accountOf("runner") + separator + c.bound
			one := with(tool.files("north", "", "first", "second"), "first/a.yaml", bound, "second/b.yaml", c.before)
			all = append(all,
				variant{name + ", another unit", one, changed("second/b.yaml", c.after), "power"},
				variant{name + ", without its danger", one, changed("second/b.yaml", c.twin), passes},
			)
			based := with(tool.files("north", "", "first", "second"), "first/a.yaml", bound, "second/kustomization.yaml", "resources: [../base]\n",
				"base/kustomization.yaml", "resources: [b.yaml]\n", "base/b.yaml", c.before)
			all = append(all,
				variant{name + ", a base of another unit", based, changed("base/b.yaml", c.after), "power"},
				variant{name + ", a base without its danger", based, changed("base/b.yaml", c.twin), passes},
			)
			if c.name == causes[2].name {
				continue // an account of that name is new in the other cluster
			}
			two := with(tool.files("north", "", "first"), "first/a.yaml", bound, "second/b.yaml", c.before, "first/c.yaml", c.before)
			maps.Copy(two, tool.files("south", "", "second"))
			all = append(all, variant{name + ", another cluster", two, changed("second/b.yaml", c.after), passes})
		}
	}
	return all
}

// beginningToApply are changes of applications that bring all that a folder grants.
func beginningToApply() (all []variant) {
	folders := map[string]string{"powerful/a.yaml": accountOf("admin") + separator + bindingOf("admin", "cluster-admin"), "quiet/a.yaml": quietObject, "calm/a.yaml": quietObject}
	for _, tool := range tools() {
		quiet, powerful := tool.files("north", "", "quiet"), tool.files("north", "", "powerful")
		all = append(all,
			variant{"another path, " + tool.name, both(folders, quiet), powerful, "power"},
			variant{"another quiet path, " + tool.name, both(folders, quiet), tool.files("north", "", "calm"), passes},
			variant{"one folder more, " + tool.name, both(folders, quiet), tool.files("north", "", "quiet", "powerful"), "power"},
			variant{"one cluster more, " + tool.name, both(folders, powerful), tool.files("south", "", "powerful"), "power"},
			variant{"one quiet cluster more, " + tool.name, both(folders, powerful), tool.files("south", "", "quiet"), passes},
		)
	}
	flux := func(more string) map[string]string { return fluxFiles("north", more, "powerful") }
	all = append(all,
		variant{"no longer suspended", both(folders, flux("  suspend: true\n")), flux("  suspend: false\n"), "power"},
		variant{"suspended", both(folders, flux("  suspend: false\n")), flux("  suspend: true\n"), passes},
		variant{"a cluster elsewhere", both(folders, flux("")), flux("  kubeConfig: {secretRef: {name: far}}\n"), "power"},
		variant{"no account any longer", both(folders, flux("  serviceAccountName: limited\n")), flux(""), "power"},
		variant{"it waits", both(folders, flux("")), flux("  wait: true\n  timeout: 5m\n"), passes},
	)
	return all
}

func both(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// setByApplications are labels that an application or a kustomization sets, with which a role becomes a part of another.
func setByApplications() (all []variant) {
	files := map[string]string{"first/a.yaml": accountOf("runner") + separator + aggregating + separator + bindingOf("runner", "shared"), "part/a.yaml": roleOf("one", "", anySecret)}
	flux := func(more string) map[string]string { return fluxFiles("north", more, "part", "first") }
	argo := func(labels string) map[string]string {
		apps := argoFiles("north", "", "part", "first")
		apps["argocd/north-0.yaml"] = strings.Replace(apps["argocd/north-0.yaml"], "path: part", "path: part, kustomize: {commonLabels: {"+labels+"}}", 1)
		return apps
	}
	kustomized := with(files, "part/kustomization.yaml", "resources: [a.yaml]\n")
	file := func(labels string) map[string]string {
		return changed("part/kustomization.yaml", "resources: [a.yaml]\nlabels: [{pairs: {"+labels+"}}]\n")
	}
	overrides := func(labels string) map[string]string {
		return changed("part/.argocd-source.yaml", "kustomize: {commonLabels: {"+labels+"}}\n")
	}
	for label, want := range map[string]string{"part: shared": "power", "team: one": passes} {
		all = append(all,
			variant{"commonMetadata " + label, both(files, flux("")), flux("  commonMetadata: {labels: {" + label + "}}\n"), want},
			variant{"commonLabels " + label, both(kustomized, argo("")), argo(label), want},
			variant{".argocd-source.yaml " + label, both(kustomized, argo("")), overrides(label), want},
			variant{"labels of a kustomization " + label, both(kustomized, flux("")), file(label), want},
		)
	}
	return all
}

// sourcesOfOthers are sources that salint does not read: a newer revision of the same passes, another source does not.
func sourcesOfOthers() (all []variant) {
	git := "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: far, namespace: flux-system}\nspec: {interval: 1m, url: https://git.example.com/org/far, ref: {tag: v1.0.0}}\n" +
		separator + "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: far, namespace: flux-system}\nspec: {interval: 1m, path: ./, prune: true, sourceRef: {kind: GitRepository, name: far}}\n"
	oci := strings.NewReplacer("GitRepository", "OCIRepository", "https://git", "oci://registry").Replace(git)
	argo := "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: far, namespace: argocd}\nspec:\n  project: default\n" +
		"  source: {repoURL: https://git.example.com/org/far, path: ., targetRevision: v1.0.0}\n  destination: {server: https://kubernetes.default.svc, namespace: apps}\n"
	remote := "resources:\n- https://git.example.com/org/far//config?ref=v1.0.0\n"
	chart := "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: far, version: v1.0.0, repository: https://git.example.com/org/far}]\n"
	release := "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: far, namespace: apps}\nspec: {url: https://git.example.com/org/far}\n" + separator +
		"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: far, namespace: apps}\n" +
		"spec:\n  interval: 1m\n  chart: {spec: {chart: far, version: v1.0.0, sourceRef: {kind: HelmRepository, name: far}}}\n"
	for file, text := range map[string]string{
		"clusters/a/git.yaml": git, "clusters/a/oci.yaml": oci, "argocd/app.yaml": argo, "base/kustomization.yaml": remote, "chart/Chart.yaml": chart, "clusters/a/release.yaml": release,
	} {
		before := map[string]string{"a.yaml": accountOf("runner"), file: text}
		becomes := func(old, now string) map[string]string { return changed(file, strings.Replace(text, old, now, 1)) }
		all = append(all,
			variant{"another address, " + file, before, becomes("/org/", "/other/"), "unread"},
			variant{"a newer version, " + file, before, becomes("v1.0.0", "v1.1.0"), passes},
			variant{"a new source, " + file, changed("a.yaml", accountOf("runner")), changed(file, text), "unread"},
			variant{"a comment, " + file, before, changed(file, text+"# reviewed\n"), passes},
		)
		if file == "base/kustomization.yaml" {
			labels := func(kind string) map[string]string {
				return changed(file, text+"patches: [{target: {kind: "+kind+"}, patch: '[{op: add, path: /metadata/labels/part, value: shared}]'}]\n")
			}
			all = append(all, variant{"a label of a remote ClusterRole", before, labels("ClusterRole"), "unread"}, variant{"a label of a remote Service", before, labels("Service"), passes})
		}
		if file == "argocd/app.yaml" || file == "base/kustomization.yaml" {
			all = append(all, variant{"a pull request, " + file, before, becomes("v1.0.0", "refs/pull/7/head"), "unread"})
		}
	}
	return all
}

// generatedArtifacts are changes of what ArtifactGenerators of Flux copy into an artifact that a Kustomization applies, and of one that none does.
func generatedArtifacts() (all []variant) {
	const text = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: far, namespace: apps}\nspec: {interval: 1m, url: https://git.example.com/org/far, ref: {tag: v1.0.0}}\n" +
		separator + "apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\nmetadata: {name: made, namespace: apps}\n" +
		"spec:\n  sources: [{alias: far, kind: GitRepository, name: far}, {alias: other, kind: Bucket, name: other}]\n  artifacts:\n" +
		"  - {name: made, copy: [{from: \"@far/web/**\", to: \"@artifact/\"}]}\n  - {name: idle, copy: [{from: \"@other/calm/**\", to: \"@artifact/\"}]}\n" +
		separator + "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: made, namespace: apps}\n" +
		"spec: {interval: 1m, path: ./, prune: true, sourceRef: {kind: ExternalArtifact, name: made}}\n"
	before := map[string]string{"clusters/a/made.yaml": text, "a.yaml": accountOf("runner")}
	for name, c := range map[string]struct{ old, now, want string }{
		"another folder is copied":       {"@far/web/", "@far/admin/", "unread"},
		"another source is copied":       {"@far/web/", "@other/web/", "unread"},
		"the source is another one":      {"name: far}, {", "name: near}, {", "unread"},
		"the source has another address": {"/org/far", "/other/far", "unread"},
		"the source has another version": {"v1.0.0", "v1.1.0", passes},
		"an artifact that no one takes":  {"@other/calm/", "@other/wild/", passes},
		"another interval":               {"interval: 1m, path", "interval: 2m, path", passes},
	} {
		all = append(all, variant{name, before, changed("clusters/a/made.yaml", strings.Replace(text, c.old, c.now, 1)), c.want})
	}
	return all
}

// substituted are variables that become what decides about a binding.
func substituted() (all []variant) {
	value := func(v string) map[string]string {
		return fluxFiles("north", "  postBuild: {substitute: {what: "+v+", size: '3'}}\n", "first")
	}
	for name, c := range map[string]struct{ text, before, after, twin string }{
		"the role":     {bindingOf("runner", "'${what}'"), "view", "cluster-admin", "view"},
		"a default":    {bindingOf("runner", "'${other:=${what}}'"), "view", "cluster-admin", "view"},
		"the kind":     {strings.Replace(bindingOf("runner", "cluster-admin"), "ClusterRoleBinding", "${what}", 1), "ConfigMap", "ClusterRoleBinding", "ConfigMap"},
		"the resource": {roleOf("shared", "", "[{apiGroups: [''], resources: [\"${what}\"], verbs: [get, list, '*']}]") + separator + bindingOf("runner", "shared"), "configmaps", "secrets", "configmaps"},
		"a subject":    {strings.Replace(bindingOf("runner", "cluster-admin"), "name: runner, namespace", "name: '${what}', namespace", 1), "runner", "other", "runner"},
	} {
		before := both(changed("first/a.yaml", accountOf("runner")+separator+c.text), value(c.before))
		all = append(all,
			variant{"a variable becomes " + name, before, value(c.after), "power"},
			variant{"another variable changes beside " + name, before, changed("clusters/north/app0.yaml",
				strings.Replace(value(c.twin)["clusters/north/app0.yaml"], "'3'", "'4'", 1)), passes},
		)
	}
	return all
}

// templated are conditions of a chart whose result the repository does not fix, and those that it fixes to false.
func templated() (all []variant) {
	chart := changed("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n", "chart/values.yaml", "on: false\n", "chart/templates/a.yaml", quietObject)
	places := map[string]string{
		"an object":  "{{- if CONDITION }}\n" + bindingOf("runner", "cluster-admin") + "{{- end }}\n",
		"a role":     bindingOf("runner", "{{ if CONDITION }}cluster-admin{{ else }}absent{{ end }}"),
		"a variable": "{{- $role := ternary \"cluster-admin\" \"absent\" (CONDITION | not | not) }}\n" + bindingOf("runner", "{{ $role }}"),
	}
	for place, text := range places {
		before := with(chart, "chart/templates/b.yaml", strings.ReplaceAll(text, "CONDITION", `(eq "a" "b")`))
		for condition, want := range map[string]string{
			".Release.IsInstall": "power", ".Release.IsUpgrade": warns, `(lookup "v1" "Secret" "a" "b")`: warns, `(eq .Release.Namespace "kube-system")`: warns,
			`(semverCompare ">=4" .Capabilities.HelmVersion.Version)`: warns, `(gt (now | date "2006" | int) 2020)`: warns, ".Chart.IsRoot": warns,
			`(eq .Chart.Name "other")`: passes, ".Values.missing": passes, `(contains "b" "a")`: passes,
		} {
			all = append(all, variant{condition + " decides about " + place, before, changed("chart/templates/b.yaml", strings.ReplaceAll(text, "CONDITION", condition)), want})
		}
	}
	return all
}

// extended are changes of what OLM installs.
func extended() (all []variant) {
	const extension = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: web}\nspec:\n  namespace: web\n" +
		"  source: {sourceType: Catalog, catalog: {packageName: web, version: \"1.0.0\"}}\n"
	const catalog = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata: {name: all}\nspec: {priority: 0, source: {type: Image, image: {ref: 'registry.example.com/org/catalog:v1'}}}\n"
	before := changed(".salint.yaml", "target: olm-1.11\n", "a.yaml", extension, "b.yaml", catalog)
	becomes := func(old, now string) map[string]string {
		return changed("a.yaml", strings.Replace(extension, old, now, 1), "b.yaml", strings.Replace(catalog, old, now, 1))
	}
	for _, c := range []struct{ name, old, now, want string }{
		{"another package", "packageName: web", "packageName: other", warns},
		{"another image of the catalog", "/org/", "/other/", warns},
		{"another priority", "priority: 0", "priority: 100", warns},
		{"a selector", "packageName: web", "packageName: web, selector: {matchLabels: {a: b}}", warns},
		{"another policy of upgrades", "packageName: web", "packageName: web, upgradeConstraintPolicy: SelfCertified", warns},
		{"a newer version", "1.0.0", "1.1.0", passes},
		{"another channel", "packageName: web", "packageName: web, channels: [beta]", passes},
		{"a label", "{name: web}", "{name: web, labels: {a: b}}", passes},
	} {
		all = append(all, variant{c.name, before, becomes(c.old, c.now), c.want})
	}
	return all
}
