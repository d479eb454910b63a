package random

import (
	"strings"

	"github.com/salint/salint/test/controllers/repository"
)

const argoAPI = "argoproj.io/v1alpha1"

// ArgoCD returns a repository of some Applications and ApplicationSets.
func ArgoCD(seed uint64) repository.Repository {
	w := newWorld(seed)
	var objects []object
	for range 1 + w.IntN(3) {
		if w.chance(35) {
			objects = append(objects, w.applicationSet())
		} else {
			objects = append(objects, w.application(w.unique("app")))
		}
	}
	if w.chance(15) {
		objects = append(objects, w.applicationOfApplications())
	}
	w.write("argocd/apps.yaml", objects...)
	if w.chance(20) {
		w.write("argocd/argocd-cm.yaml", w.settings())
	}
	return w.files
}

// settings returns an argocd-cm that leaves kinds out.
func (w *world) settings() object {
	filter := pick(w,
		"- {apiGroups: [rbac.authorization.k8s.io], kinds: [ClusterRoleBinding]}\n",
		"- {apiGroups: ['*'], kinds: [Namespace, Deployment], clusters: ['https://kubernetes.*']}\n",
		"- {apiGroups: ['', apps], kinds: ['*'], clusters: ['https://elsewhere.example.com']}\n",
		"- {apiGroups: ['rbac*', argoproj.io]}\n- {kinds: [ServiceAccount]}\n",
	)
	return object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": "argocd-cm", "namespace": "argocd"},
		"data": object{pick(w, "resource.exclusions", "resource.exclusions", "resource.inclusions"): filter}}
}

func argoObject(kind, name string, spec object) object {
	return object{"apiVersion": argoAPI, "kind": kind, "metadata": object{"name": name, "namespace": "argocd"}, "spec": spec}
}

func (w *world) destination() object {
	return object{"server": "https://kubernetes.default.svc", "namespace": pick(w, namespaces...)}
}

func (w *world) application(name string) object {
	spec := object{"project": "default", "destination": w.destination()}
	if w.chance(20) {
		spec["sources"] = w.sources("apps/" + name)
	} else {
		spec["source"] = w.source("apps/" + name)
	}
	return argoObject("Application", name, spec)
}

// applicationOfApplications returns one that applies other Applications.
func (w *world) applicationOfApplications() object {
	w.write("children/all.yaml", w.application(w.unique("child")), w.application(w.unique("child")))
	return argoObject("Application", "parent", object{
		"project": "default", "destination": object{"server": "https://kubernetes.default.svc", "namespace": "argocd"},
		"source": object{"repoURL": repository.URL, "path": "children", "targetRevision": "HEAD"},
	})
}

func (w *world) source(folder string) object {
	source := object{"repoURL": repository.URL, "targetRevision": pick(w, "HEAD", "main"), "path": folder}
	namespace := pick(w, append([]string{""}, namespaces...)...)
	switch w.IntN(3) {
	case 0:
		w.folders(folder, namespace)
		if w.chance(70) {
			source["directory"] = w.directory()
		}
	case 1:
		w.kustomization(folder, namespace)
		if w.chance(70) {
			source["kustomize"] = w.argoKustomize(folder, namespace)
		}
	default:
		source["path"] = w.chart()
		if w.chance(80) {
			source["helm"] = w.argoHelm(source["path"].(string))
		}
	}
	if w.chance(10) {
		source["directory"] = object{"recurse": false}
	}
	return source
}

func (w *world) directory() object {
	d := object{}
	if w.chance(60) {
		d["recurse"] = w.chance(70)
	}
	if w.chance(30) {
		d["include"] = pick(w, "*.yaml", "{rbac.yaml,sub/*}", "**/more.yaml", "sub/**")
	}
	if w.chance(30) {
		d["exclude"] = pick(w, "extra.yml", "sub/*", "{extra.*,nested/*}", "*.yml")
	}
	return d
}

func (w *world) argoKustomize(folder, namespace string) object {
	k := object{}
	if w.chance(30) {
		k["namespace"] = pick(w, namespaces...)
	}
	if w.chance(25) {
		k["namePrefix"] = "argo-"
	}
	if w.chance(15) {
		k["nameSuffix"] = "-argo"
	}
	if w.chance(25) {
		k["images"] = []string{pick(w, "nginx:3", "nginx=registry.example.com/nginx:3")}
	}
	if w.chance(30) {
		k["patches"] = w.patches()
	}
	if w.chance(20) {
		component := w.unique("component")
		w.component("components/"+component, namespace)
		k["components"] = []string{strings.Repeat("../", strings.Count(folder, "/")+1) + "components/" + component}
	}
	if w.chance(20) {
		k["commonLabels"] = object{"team": "argo"}
		k["labelWithoutSelector"] = true
		k["forceCommonLabels"] = true
	}
	if w.chance(15) {
		k["commonAnnotations"] = object{"note": "$ARGOCD_APP_NAME"}
		k["commonAnnotationsEnvsubst"] = w.chance(50)
	}
	return k
}

func (w *world) argoHelm(chart string) object {
	h := object{}
	if w.chance(40) {
		h["valuesObject"] = w.values()
	}
	if w.chance(30) {
		h["values"] = "rbac:\n  admin: " + pick(w, "true", "false") + "\n"
	}
	if w.chance(30) {
		h["parameters"] = []object{pick(w,
			object{"name": "rbac.admin", "value": pick(w, "true", "false")},
			object{"name": "rbac.admin", "value": "false", "forceString": true},
			object{"name": "account.name", "value": "$ARGOCD_APP_NAME"},
			object{"name": "list[0]", "value": "p"},
		)}
	}
	if w.chance(30) {
		w.write(chart+"/values-prod.yaml", w.values())
		h["valueFiles"] = []string{"values-prod.yaml"}
		if w.chance(30) {
			h["valueFiles"] = []string{"values-prod.yaml", "values-missing.yaml"}
			h["ignoreMissingValueFiles"] = w.chance(80)
		}
	}
	if w.chance(15) {
		h["releaseName"] = "release"
	}
	if w.chance(10) {
		h["namespace"] = pick(w, namespaces...)
	}
	return h
}

// sources returns several sources, of which one can be only a reference.
func (w *world) sources(folder string) []object {
	if w.chance(40) {
		return []object{w.source(folder + "-first"), w.source(folder + "-second")}
	}
	w.write("settings/"+folder+".yaml", w.values())
	chart := w.chart()
	return []object{
		{"repoURL": repository.URL, "path": chart, "helm": object{"valueFiles": []string{"$settings/settings/" + folder + ".yaml"}}},
		{"repoURL": repository.URL, "targetRevision": "HEAD", "ref": "settings"},
	}
}

// applicationSet returns a set over folders that it fills.
func (w *world) applicationSet() object {
	name := w.unique("set")
	folder := "sets/" + name
	members := []string{"one", "two", "three"}[:1+w.IntN(3)]
	kind := w.IntN(2)
	for _, member := range members {
		if kind == 0 {
			w.folders(folder+"/"+member, pick(w, append([]string{""}, namespaces...)...))
		} else {
			w.kustomization(folder+"/"+member, pick(w, append([]string{""}, namespaces...)...))
		}
		w.write(folder+"/"+member+"/config.json", object{"cluster": object{"name": member, "namespace": pick(w, namespaces...)}})
	}
	generator, path, suffix := w.generator(folder, members)
	spec := object{"project": "default", "destination": object{"server": "https://kubernetes.default.svc", "namespace": "{{ ." + suffix + " }}"},
		"source": object{"repoURL": repository.URL, "targetRevision": "HEAD", "path": path}}
	if kind == 0 {
		spec["source"].(object)["directory"] = object{"recurse": w.chance(50), "exclude": "config.json"}
	}
	set := object{
		"goTemplate": true, "generators": []object{generator},
		"template": object{"metadata": object{"name": name + "-{{ ." + appName[suffix] + " }}"}, "spec": spec},
	}
	if w.chance(60) {
		set["goTemplateOptions"] = []string{"missingkey=error"}
	}
	if w.chance(15) && kind == 1 {
		set["templatePatch"] = "spec:\n  source:\n    kustomize:\n      namePrefix: patched-\n"
	}
	return argoObject("ApplicationSet", name, set)
}

// appName is the parameter that makes the names of the applications differ, by the parameter of their namespace.
var appName = map[string]string{"namespace": "member", "path.basename": "path.basename", "cluster.namespace": "cluster.name"}

// generator returns a generator, the path of an application, and the parameter of the namespace.
func (w *world) generator(folder string, members []string) (generator object, path, namespace string) {
	list := make([]object, 0, len(members))
	for _, member := range members {
		list = append(list, object{"member": member, "namespace": pick(w, namespaces...)})
	}
	directories := object{"git": object{"repoURL": repository.URL, "revision": "HEAD", "directories": []object{{"path": folder + "/*"}}}}
	if w.chance(30) {
		directories["git"].(object)["directories"] = []object{{"path": folder + "/*"}, {"path": folder + "/one", "exclude": true}}
	}
	files := object{"git": object{"repoURL": repository.URL, "revision": "HEAD", "files": []object{{"path": folder + "/*/config.json"}}}}
	switch w.IntN(5) {
	case 0:
		if w.chance(15) {
			delete(list[0], "namespace") // fails with missingkey=error
		}
		return object{"list": object{"elements": list}}, folder + "/{{ .member }}", "namespace"
	case 1:
		return directories, "{{ .path.path }}", "path.basename"
	case 2:
		return files, "{{ .path.path }}", "cluster.namespace"
	case 3:
		other := object{"list": object{"elements": []object{{"namespace": pick(w, namespaces...)}}}}
		members := object{"list": object{"elements": list}}
		for _, element := range list {
			delete(element, "namespace")
		}
		return object{"matrix": object{"generators": []object{members, other}}}, folder + "/{{ .member }}", "namespace"
	default:
		override := object{"list": object{"elements": []object{{"member": members[0], "namespace": "merged"}}}}
		return object{"merge": object{"mergeKeys": []string{"member"}, "generators": []object{{"list": object{"elements": list}}, override}}}, folder + "/{{ .member }}", "namespace"
	}
}
