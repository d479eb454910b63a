package session

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
)

// scopeRepo is a random repository of bases, components, overlays, charts, applications, and plain files.
type scopeRepo struct {
	*rand.Rand
	files map[string]string
	// overlays are the folders of overlays, listed those that another overlay lists.
	overlays []string
	listed   map[string]bool
	// releases are Argo CD Applications: their manifests, by the name of the unit.
	releases map[string]release
	paths    []string
}

// release is what one Application applies: a folder, and a file of values if the folder is a chart.
type release struct{ manifest, folder, values string }

func (g *scopeRepo) one(of ...string) string { return of[g.Intn(len(of))] }

func (g *scopeRepo) maybe(text string) string { return g.one("", text) }

func newScopeRepo(seed int64) *scopeRepo {
	g := &scopeRepo{Rand: rand.New(rand.NewSource(seed)), files: map[string]string{}, listed: map[string]bool{}, releases: map[string]release{}}
	for i := range 1 + g.Intn(2) {
		g.folder(fmt.Sprintf("bases/b%d", i), fmt.Sprintf("ext%d", i))
	}
	if g.Intn(2) == 0 {
		g.files["components/c/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + g.patch("ext0")
	}
	for i := range 2 + g.Intn(3) {
		g.overlay(fmt.Sprintf("overlays/o%d", i))
	}
	if g.Intn(3) == 0 {
		g.chart()
	}
	if g.Intn(3) == 0 {
		g.directories()
	}
	for i := range g.Intn(3) {
		dir := fmt.Sprintf("plain/p%d", i)
		g.files[dir+"/extension.yaml"], g.files[dir+"/rbac.yaml"] = g.extension("plain"), g.rbac("plain")
	}
	g.choosePaths()
	return g
}

func (g *scopeRepo) extension(name string) string {
	field := g.one("  serviceAccount:\n    name: "+name+"-installer\n", "  serviceAccount:\n    name: "+name+"-installer\n", "", "  serviceAccount: {}\n")
	return "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: " + name + "\nspec:\n  namespace: " + name + "\n" +
		field + "  source:\n    sourceType: Catalog\n    catalog: {packageName: " + name + "}\n"
}

func (g *scopeRepo) rbac(name string) string {
	account := fmt.Sprintf("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: %[1]s-installer, namespace: %[1]s}\n", name)
	binding := fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: %[1]s-installer}\n"+
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %[2]s}\nsubjects:\n- {kind: ServiceAccount, name: %[1]s-installer, namespace: %[1]s}\n",
		name, g.one("cluster-admin", "edit"))
	synthetic := fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: %[1]s-synthetic}\n"+
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}\nsubjects:\n- {kind: User, name: 'olm:clusterextension%[2]s:%[1]s', apiGroup: rbac.authorization.k8s.io}\n",
		name, g.maybe("s"))
	pod := fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: %[1]s}\nspec:\n  template:\n    spec:\n      serviceAccount: %[1]s-web\n      containers: [{name: web, image: registry.example.com/web}]\n", name)
	token := fmt.Sprintf("apiVersion: v1\nkind: Secret\ntype: kubernetes.io/service-account-token\nmetadata: {name: %[1]s-token, namespace: %[1]s, annotations: {kubernetes.io/service-account.name: %[1]s-installer}}\n", name)
	docs := []string{account, binding}
	for _, doc := range []string{synthetic, pod, token} {
		if g.Intn(3) == 0 {
			docs = append(docs, doc)
		}
	}
	return strings.Join(docs, "---\n")
}

// folder adds a kustomization with an extension, its account, and a workload.
func (g *scopeRepo) folder(dir, name string) {
	g.files[dir+"/extension.yaml"], g.files[dir+"/rbac.yaml"] = g.extension(name), g.rbac(name)
	g.files[dir+"/kustomization.yaml"] = "resources:\n- extension.yaml\n- rbac.yaml\n" + g.one("", "", "namePrefix: b-\n")
}

func (g *scopeRepo) patch(name string) string {
	patch := "patches:\n- target: {kind: ClusterExtension, name: " + name + "}\n  patch: |-\n"
	switch g.Intn(3) {
	case 0:
		return patch + "    - {op: add, path: /spec/serviceAccount, value: {name: " + name + "-installer}}\n"
	case 1:
		return patch + "    apiVersion: olm.operatorframework.io/v1\n    kind: ClusterExtension\n    metadata: {name: " + name + "}\n    spec:\n      serviceAccount:\n        name: other\n"
	}
	return "commonAnnotations: {team: ops}\n"
}

func (g *scopeRepo) overlay(dir string) {
	resources := "- ../../bases/b0\n"
	if _, two := g.files["bases/b1/extension.yaml"]; two {
		resources = g.one("- ../../bases/b0\n", "- ../../bases/b1\n", "- ../../bases/b0\n- ../../bases/b1\n")
	}
	isOwn := g.Intn(4) == 0
	if n := len(g.overlays); n > 0 && g.Intn(5) == 0 {
		other := g.overlays[n-1]
		g.listed[other], resources = true, "- ../"+strings.TrimPrefix(other, "overlays/")+"\n"
		isOwn = false
	}
	if isOwn {
		g.files[dir+"/extension.yaml"], g.files[dir+"/rbac.yaml"] = g.extension("own"), g.rbac("own")
		resources += "- extension.yaml\n- rbac.yaml\n"
	}
	text := "resources:\n" + resources + g.one("", "", "nameSuffix: -s\n") + g.one("", "", "namespace: ops\n")
	if g.files["components/c/kustomization.yaml"] != "" && g.Intn(2) == 0 && strings.Contains(resources, "b0") {
		text += "components: [../../components/c]\n"
	} else if strings.Contains(resources, "b0") && g.Intn(3) == 0 {
		text += g.patch("ext0")
	}
	g.files[dir+"/kustomization.yaml"] = text
	g.overlays = append(g.overlays, dir)
	if g.Intn(3) == 0 {
		name := strings.TrimPrefix(dir, "overlays/")
		g.application(name, dir, g.one("", "", "    kustomize: {namePrefix: app-}\n"), "")
	}
}

// application adds an Argo CD Application.
func (g *scopeRepo) application(name, folder, more, values string) {
	manifest := "apps/" + name + ".yaml"
	g.files[manifest] = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: " + name + ", namespace: argocd}\nspec:\n  project: default\n" +
		"  destination: {server: 'https://kubernetes.default.svc', namespace: ops}\n  source:\n    repoURL: https://git.example.com/fleet\n    path: " + folder + "\n" + more
	g.releases[name] = release{manifest, folder, values}
}

// chart adds a chart with several releases.
func (g *scopeRepo) chart() {
	g.files["charts/ch/Chart.yaml"] = "apiVersion: v2\nname: ch\nversion: 1.0.0\n"
	g.files["charts/ch/values.yaml"] = "account: {name: ch-installer}\nextra: {}\n"
	g.files["charts/ch/templates/extension.yaml"] = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: ch\nspec:\n  namespace: ch\n" +
		g.one("  serviceAccount:\n    name: {{ .Values.account.name }}\n", "  serviceAccount:\n    name: ch-installer\n") +
		"  source:\n    sourceType: Catalog\n    catalog: {packageName: ch}\n"
	g.files["charts/ch/templates/rbac.yaml"] = g.rbac("ch")
	for i := range 2 + g.Intn(2) {
		values := fmt.Sprintf("envs/v%d.yaml", i)
		g.files[values] = g.one("account: {name: ch-installer}\n", "account: {name: other}\n", "extra: {a: b}\n")
		g.application(fmt.Sprintf("release%d", i), "charts/ch", "    helm: {valueFiles: [../../"+values+"]}\n", values)
	}
}

// directories adds applications that apply plain folders, one of them a part of another.
func (g *scopeRepo) directories() {
	for _, dir := range []string{"manifests/m", "manifests/m/sub"} {
		name := "dir" + strings.ReplaceAll(strings.TrimPrefix(dir, "manifests/m"), "/", "")
		g.files[dir+"/extension.yaml"], g.files[dir+"/rbac.yaml"] = g.extension(name), g.rbac(name)
		if g.Intn(3) > 0 {
			g.application(name, dir, g.one("    directory: {recurse: true}\n", ""), "")
		}
	}
}

// choosePaths chooses some files and folders of the repository.
func (g *scopeRepo) choosePaths() {
	files := slices.Sorted(maps.Keys(g.files))
	for range 1 + g.Intn(3) {
		path := files[g.Intn(len(files))]
		if i := strings.LastIndexByte(path, '/'); g.Intn(2) == 0 {
			path = path[:i]
		}
		g.paths = append(g.paths, path)
	}
	if g.Intn(2) == 0 {
		g.paths = append(g.paths, g.overlays[g.Intn(len(g.overlays))])
	}
}
