package delivery_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// tree is a repository in memory.
type tree = filestest.Tree

// repository is an assembled tree: every folder is a unit, applied by the applications with its path.
type repository struct {
	*delivery.Delivery
	units map[string]*objects.Unit
}

func read(t *testing.T, files tree) repository {
	t.Helper()
	var all []*objects.Object
	r := repository{units: map[string]*objects.Unit{}}
	var units []*objects.Unit
	for _, name := range files.Names() {
		dir := path.Dir(name)
		if r.units[dir] == nil {
			r.units[dir] = &objects.Unit{Name: dir, Root: dir, Kind: objects.ApplicationUnit}
			units = append(units, r.units[dir])
		}
		objects := objectstest.In(t, name, files[name])
		all = append(all, objects...)
		r.units[dir].Objects = append(r.units[dir].Objects, objects...)
	}
	result := gitops.Read(all, gitops.Options{Tree: files})
	r.Delivery = delivery.New(units, result, func(u *objects.Unit) (by []*gitops.Application) {
		for _, a := range result.Applications {
			if len(a.Sources) > 0 && a.Sources[0].Path.Value == u.Root {
				by = append(by, a)
			}
		}
		return by
	})
	return r
}

func (r repository) find(t *testing.T, dir, kind string) *objects.Object {
	t.Helper()
	found := r.units[dir].Find(objects.Query{Kind: kind})
	if len(found) == 0 {
		t.Fatalf("no %s in %s", kind, dir)
	}
	return found[0]
}

// metadata has a name and one annotation, or none if the key is "".
func metadata(name, key, value string) string {
	if key == "" {
		return fmt.Sprintf("metadata: {name: %s}", name)
	}
	return fmt.Sprintf("metadata: {name: %s, annotations: {%s: %q}}", name, key, value)
}

func extension(key, value string) string {
	return "{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, " + metadata("harbor", key, value) + ", spec: {namespace: harbor}}"
}

func binding(key, value string) string {
	return "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, " + metadata("harbor", key, value) + `,
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: harbor},
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "olm:clusterextension:harbor"}]}`
}

func role(key, value string) string {
	return "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, " + metadata("harbor", key, value) + ", rules: []}"
}

// stage is a Kustomization of Flux.
func stage(name, spec string) string {
	return fmt.Sprintf("{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: %s, namespace: flux-system}, "+
		"spec: {sourceRef: {kind: GitRepository, name: flux-system}, path: %s}}\n", name, spec)
}

// app is an Application of Argo CD; spec follows its path.
func app(name, folder, meta, spec string) string {
	return fmt.Sprintf("{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: %s, namespace: argocd%s}, "+
		"spec: {source: {repoURL: 'https://git.example.com/fleet.git', path: %s}%s}}\n", name, meta, folder, spec)
}

func documents(texts ...string) string { return strings.Join(texts, "\n---\n") }

const wave, hook, helmHook = "argocd.argoproj.io/sync-wave", "argocd.argoproj.io/hook", "helm.sh/hook"

var user = rbac.Subject{Kind: "User", Name: "olm:clusterextension:harbor"}

// waves configures Argo CD to wait for the health of Applications.
const waves = `apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm, namespace: argocd, labels: {app.kubernetes.io/part-of: argocd}}
data: {resource.customizations.health.argoproj.io_Application: "hs = {}"}
`

func TestLateGrants(t *testing.T) {
	t.Parallel()
	flux := func(spec string) string { return stage("apps", "./apps, dependsOn: ["+spec+"]") }
	for _, c := range []struct {
		name  string
		files tree
		want  []string // kind, file, relation and scope of each late grant
	}{
		{"in time", tree{"apps/a.yaml": documents(extension("", ""), binding("", ""), role("", ""))}, nil},
		{"an unknown tool, a wave", tree{"apps/a.yaml": documents(extension("", ""), binding(wave, "5"), role("", ""))}, []string{"ClusterRoleBinding apps/a.yaml after together"}},
		{"an unknown tool, a hook of Helm", tree{"apps/a.yaml": documents(extension("", ""), binding("", ""), role(helmHook, "post-install"))}, []string{"ClusterRole apps/a.yaml after together"}},
		{"a hook that is not run", tree{"apps/a.yaml": documents(extension("", ""), binding(hook, "PostDelete"), role("", ""))}, []string{"ClusterRoleBinding apps/a.yaml never together"}},
		{"Argo CD, an early extension", tree{
			"argo/a.yaml": app("apps", "apps", "", ""),
			"apps/a.yaml": documents(extension(wave, "-1"), binding("", ""), role(wave, "-1")),
		}, []string{"ClusterRoleBinding apps/a.yaml after together"}},
		{"Flux knows no waves", tree{
			"flux/a.yaml": stage("apps", "./apps"),
			"apps/a.yaml": documents(extension("", ""), binding(wave, "5"), role(helmHook, "test")),
		}, nil},
		{"a later stage of Flux", tree{
			"flux/a.yaml":   documents(stage("apps", "./apps"), stage("access", "./access, dependsOn: [{name: middle}]"), stage("middle", "./middle, dependsOn: [{name: apps}]")),
			"apps/a.yaml":   extension("", ""),
			"access/b.yaml": documents(binding("", ""), role("", "")),
		}, []string{"ClusterRoleBinding access/b.yaml after apart", "ClusterRole access/b.yaml after apart"}},
		{"a role in a later stage", tree{
			"flux/a.yaml":   documents(stage("apps", "./apps"), stage("access", "./access, dependsOn: [{name: apps}]")),
			"apps/a.yaml":   documents(extension("", ""), binding("", "")),
			"access/b.yaml": role("", ""),
		}, []string{"ClusterRole access/b.yaml after apart"}},
		{"an earlier stage", tree{
			"flux/a.yaml":   documents(flux("{name: access}"), stage("access", "./access")),
			"apps/a.yaml":   extension("", ""),
			"access/b.yaml": binding("", ""),
		}, nil},
		{"a stage that nothing orders", tree{
			"flux/a.yaml":   documents(stage("apps", "./apps"), stage("access", "./access")),
			"apps/a.yaml":   extension("", ""),
			"access/b.yaml": binding("", ""),
		}, nil},
		{"a later stage and another one in time", tree{
			"flux/a.yaml":   documents(stage("apps", "./apps"), stage("access", "./access, dependsOn: [{name: apps}]"), stage("more", "./more")),
			"apps/a.yaml":   extension("", ""),
			"access/b.yaml": binding("", ""),
			"more/b.yaml":   binding("", ""),
		}, nil},
		{"a later stage, and with the extension", tree{
			"flux/a.yaml":   documents(stage("apps", "./apps"), stage("access", "./access, dependsOn: [{name: apps}]")),
			"apps/a.yaml":   documents(extension("", ""), binding("", "")),
			"access/b.yaml": binding("", ""),
		}, nil},
		{"a later Application", tree{
			"argo/a.yaml":   documents(app("all", "argo", "", ""), app("apps", "apps", "", ""), app("access", "access", ", annotations: {"+wave+": '2'}", ""), waves),
			"apps/a.yaml":   extension("", ""),
			"access/b.yaml": binding("", ""),
		}, []string{"ClusterRoleBinding access/b.yaml after apart"}},
		{"a later Application of another cluster", tree{
			"argo/a.yaml": documents(app("all", "argo", "", ""), app("apps", "apps", "", ""),
				app("access", "access", ", annotations: {"+wave+": '2'}", ", destination: {name: south}"), waves),
			"apps/a.yaml":   extension("", ""),
			"access/b.yaml": binding("", ""),
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := read(t, c.files)
			var got []string
			for _, l := range r.LateGrants(r.units["apps"], r.find(t, "apps", "ClusterExtension"), user) {
				how := "apart"
				if l.Together {
					how = "together"
				}
				got = append(got, fmt.Sprintf("%s %s %s %s", l.Object.Kind, l.Object.File, l.Ordering.Relation, how))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLateAccount(t *testing.T) {
	t.Parallel()
	account := "{apiVersion: v1, kind: ServiceAccount, metadata: {name: installer, namespace: harbor, annotations: {" + wave + ": 3}}}"
	r := read(t, tree{"apps/a.yaml": documents(extension("", ""), account)})
	subject := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "harbor", Name: "installer"}
	late := r.LateGrants(r.units["apps"], r.find(t, "apps", "ClusterExtension"), subject)
	if len(late) != 1 || late[0].Object.Kind != "ServiceAccount" {
		t.Errorf("got %+v", late)
	}
	var none *delivery.Delivery
	if len(none.LateGrants(r.units["apps"], r.find(t, "apps", "ClusterExtension"), subject)) != 1 {
		t.Error("without applications the annotations count all the same")
	}
}
