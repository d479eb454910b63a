// Package random makes small repositories from a seed: always the same one from the same seed.
package random

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/test/controllers/repository"
)

// object is a manifest, or a part of one.
type object = map[string]any

// world is a repository in the making.
type world struct {
	*rand.Rand
	files repository.Repository
	// variables are placed in values if they are set: names of variables of Flux.
	variables []string
	count     int
	// accounts are the names of the accounts that were made last.
	accounts []string
}

func newWorld(seed uint64) *world {
	return &world{Rand: rand.New(rand.NewPCG(seed, 1)), files: repository.Repository{}}
}

// chance is true in this many of a hundred cases.
func (w *world) chance(percent int) bool { return w.IntN(100) < percent }

func pick[T any](w *world, all ...T) T { return all[w.IntN(len(all))] }

// unique returns a name that no other call returns.
func (w *world) unique(prefix string) string {
	w.count++
	return fmt.Sprintf("%s-%d", prefix, w.count)
}

// write writes the objects as one file of YAML.
func (w *world) write(path string, objects ...object) {
	documents := make([]string, 0, len(objects))
	for _, o := range objects {
		data, err := yaml.Marshal(o)
		if err != nil {
			panic(err)
		}
		documents = append(documents, string(data))
	}
	w.files[path] = strings.Join(documents, "---\n")
}

var (
	names      = []string{"ops", "web", "deployer", "reader"}
	namespaces = []string{"team-a", "team-b", "ops"}
	images     = []string{"nginx", "registry.example.com/web"}
)

// value returns the given word, or sometimes a variable that stands for another.
func (w *world) value(word string) string {
	if len(w.variables) == 0 || !w.chance(15) {
		return word
	}
	name := pick(w, w.variables...)
	return pick(w, "${"+name+"}", "${"+name+":="+word+"}", "${"+name+":-"+word+"}", word+"-${"+name+":=x}")
}

// manifests returns some objects that differ in kind and name. Without a namespace, only the build sets it.
func (w *world) manifests(n int, namespace string) []object {
	w.accounts = nil
	var all []object
	for range n {
		all = append(all, w.manifest(namespace))
	}
	return all
}

func (w *world) manifest(namespace string) object {
	switch w.IntN(10) {
	case 0, 1:
		return w.serviceAccount(namespace)
	case 2:
		return w.role("Role", namespace)
	case 3:
		return w.role("ClusterRole", "")
	case 4:
		return w.binding("RoleBinding", namespace)
	case 5:
		return w.binding("ClusterRoleBinding", "")
	case 6, 7:
		return w.workload(namespace)
	case 8:
		return w.extension()
	default:
		return object{"apiVersion": "v1", "kind": "Namespace", "metadata": w.metadata("", "ns")}
	}
}

func (w *world) metadata(namespace, prefix string) object {
	m := object{"name": w.unique(prefix)}
	if namespace != "" {
		m["namespace"] = namespace
	}
	if w.chance(15) {
		m["labels"] = object{"team": pick(w, namespaces...)}
	}
	if w.chance(5) {
		m["annotations"] = object{"kustomize.toolkit.fluxcd.io/" + pick(w, "reconcile", "ssa"): pick(w, "disabled", "Disabled", "Ignore", "enabled")}
	}
	return m
}

// account returns the name of an account: of one that was made before, or another.
func (w *world) account() string {
	if len(w.accounts) > 0 && w.chance(60) {
		return pick(w, w.accounts...)
	}
	return w.value(pick(w, names...))
}

func (w *world) serviceAccount(namespace string) object {
	o := object{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": w.metadata(namespace, pick(w, names...))}
	w.accounts = append(w.accounts, o["metadata"].(object)["name"].(string))
	if w.chance(20) {
		o["automountServiceAccountToken"] = w.chance(50)
	}
	if w.chance(20) {
		o["imagePullSecrets"] = []object{{"name": w.value("pull")}}
	}
	return o
}

func (w *world) role(kind, namespace string) object {
	o := object{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": w.metadata(namespace, "role")}
	if kind == "ClusterRole" && w.chance(20) {
		o["aggregationRule"] = object{"clusterRoleSelectors": []object{{"matchLabels": object{"team": pick(w, namespaces...)}}}}
		return o
	}
	o["rules"] = []object{{"apiGroups": []string{pick(w, "", "apps", "*")}, "resources": []string{pick(w, "secrets", "pods", "deployments")}, "verbs": []string{w.value("get"), "list"}}}
	return o
}

func (w *world) binding(kind, namespace string) object {
	ref := object{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": w.value(pick(w, "view", "edit", "cluster-admin"))}
	if kind == "RoleBinding" && w.chance(30) {
		ref = object{"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "role-1"}
	}
	subject := object{"kind": "ServiceAccount", "name": w.account(), "namespace": w.value(pick(w, namespaces...))}
	if namespace != "" && w.chance(50) {
		subject["namespace"] = namespace
	}
	if w.chance(15) {
		subject = object{"apiGroup": "rbac.authorization.k8s.io", "kind": pick(w, "User", "Group"), "name": pick(w, names...)}
	}
	return object{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": w.metadata(namespace, "binding"), "roleRef": ref, "subjects": []object{subject}}
}

// workload returns an object with a pod template.
func (w *world) workload(namespace string) object {
	pod := object{"containers": []object{{"name": "main", "image": pick(w, images...) + pick(w, "", ":1.2")}}}
	if w.chance(80) {
		pod["serviceAccountName"] = w.account()
	}
	if w.chance(10) {
		pod["automountServiceAccountToken"] = false
	}
	kind := pick(w, "Deployment", "StatefulSet", "DaemonSet", "CronJob")
	metadata := w.metadata(namespace, "app")
	template := object{"metadata": object{"labels": object{"app": "web"}}, "spec": pod}
	if kind == "CronJob" {
		pod["restartPolicy"] = "Never"
		return object{"apiVersion": "batch/v1", "kind": kind, "metadata": metadata, "spec": object{"schedule": "@daily", "jobTemplate": object{"spec": object{"template": template}}}}
	}
	spec := object{"selector": object{"matchLabels": object{"app": "web"}}, "template": template}
	if kind == "StatefulSet" {
		spec["serviceName"] = "web"
	}
	return object{"apiVersion": "apps/v1", "kind": kind, "metadata": metadata, "spec": spec}
}

func (w *world) extension() object {
	return object{
		"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "metadata": w.metadata("", "extension"),
		"spec": object{
			"namespace": w.value(pick(w, namespaces...)), "serviceAccount": object{"name": w.account()},
			"source": object{"sourceType": "Catalog", "catalog": object{"packageName": "argocd-operator"}},
		},
	}
}

// patch returns a patch in the form that kustomize, Flux, and Argo CD accept.
func (w *world) patch() object {
	switch w.IntN(4) {
	case 0:
		return object{
			"target": object{"kind": "Deployment"},
			"patch":  "- {op: add, path: /spec/template/spec/serviceAccountName, value: " + pick(w, names...) + "}\n",
		}
	case 1:
		return object{
			"target": object{"group": "rbac.authorization.k8s.io", "kind": pick(w, "RoleBinding", "ClusterRoleBinding")},
			"patch":  "- {op: replace, path: /subjects/0/name, value: " + pick(w, names...) + "}\n",
		}
	case 2:
		return object{
			"target": object{"kind": "ServiceAccount", "name": pick(w, names...) + "-.*"},
			"patch":  "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: any\nautomountServiceAccountToken: false\n",
		}
	default:
		return object{
			"target": object{"kind": "ClusterExtension"},
			"patch":  "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: any\nspec:\n  serviceAccount: {name: " + pick(w, names...) + "}\n",
		}
	}
}

func (w *world) patches() []object {
	patches := []object{w.patch()}
	if w.chance(30) {
		patches = append(patches, w.patch())
	}
	return patches
}

// kustomization fills the folder with a kustomization and what it builds.
func (w *world) kustomization(folder, namespace string) {
	k := object{"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
	w.write(folder+"/rbac.yaml", w.manifests(2+w.IntN(4), namespace)...)
	resources := []string{"rbac.yaml"}
	if w.chance(30) {
		base := w.unique("base")
		w.write("bases/"+base+"/all.yaml", w.manifests(1+w.IntN(3), namespace)...)
		inner := object{"resources": []string{"all.yaml"}}
		if w.chance(40) {
			inner["namePrefix"] = "base-"
		}
		w.write("bases/"+base+"/kustomization.yaml", inner)
		resources = append(resources, strings.Repeat("../", strings.Count(folder, "/")+1)+"bases/"+base)
	}
	k["resources"] = resources
	if w.chance(25) {
		k["namespace"] = pick(w, namespaces...)
	}
	if w.chance(25) {
		k["namePrefix"] = "pre-"
	}
	if w.chance(10) {
		k["nameSuffix"] = "-post"
	}
	if w.chance(30) {
		k["patches"] = w.patches()
	}
	if w.chance(20) {
		k["images"] = []object{{"name": images[0], "newTag": "9"}}
	}
	if w.chance(20) {
		k["labels"] = []object{{"pairs": object{"team": "x"}}}
	}
	if w.chance(20) {
		k["components"] = []string{"part"}
		w.component(folder+"/part", namespace)
	}
	if w.chance(15) {
		k["configMapGenerator"] = []object{{"name": "generated", "literals": []string{"a=b"}}}
	}
	w.write(folder+"/"+pick(w, "kustomization.yaml", "kustomization.yml", "Kustomization"), k)
}

func (w *world) component(folder, namespace string) {
	w.write(folder+"/more.yaml", w.manifests(1+w.IntN(2), namespace)...)
	w.write(folder+"/kustomization.yaml", object{
		"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component", "resources": []string{"more.yaml"}, "patches": w.patches(),
	})
}

// folders fills the folder with plain manifests, some of them in subfolders.
func (w *world) folders(folder, namespace string) {
	w.write(folder+"/rbac.yaml", w.manifests(2+w.IntN(4), namespace)...)
	if w.chance(50) {
		w.write(folder+"/sub/more.yaml", w.manifests(1+w.IntN(2), namespace)...)
	}
	if w.chance(40) {
		w.write(folder+"/extra.yml", w.manifests(1+w.IntN(2), namespace)...)
	}
	if w.chance(20) {
		w.files[folder+"/README.md"] = "Text.\n"
	}
	if w.chance(15) {
		w.write(folder+"/nested/all.yaml", w.manifests(1, namespace)...)
		w.write(folder+"/nested/kustomization.yaml", object{"resources": []string{"all.yaml"}, "namePrefix": "nested-"})
	}
}
