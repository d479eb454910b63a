package random

import (
	"github.com/salint/salint/test/controllers/repository"
)

const (
	fluxNamespace = "flux-system"
	kustomizeAPI  = "kustomize.toolkit.fluxcd.io/v1"
	sourceAPI     = "source.toolkit.fluxcd.io/v1"
)

// Flux returns a repository of one or two clusters.
func Flux(seed uint64) repository.Repository {
	w := newWorld(seed)
	clusters := []string{"a"}
	if w.chance(40) {
		clusters = append(clusters, "b")
	}
	shared := ""
	if len(clusters) > 1 && w.chance(60) {
		shared = "clusters-base"
		w.fluxApplications(shared)
		w.write(shared+"/kustomization.yaml", object{"resources": w.below(shared)})
	}
	for _, name := range clusters {
		w.fluxCluster("clusters/"+name, shared)
	}
	if w.chance(15) {
		w.files[".sourceignore"] = w.ignore()
	}
	return w.files
}

// below returns the names of the files in the folder.
func (w *world) below(folder string) []string {
	var all []string
	for _, name := range w.files.Names() {
		if len(name) > len(folder) && name[:len(folder)+1] == folder+"/" {
			all = append(all, name[len(folder)+1:])
		}
	}
	return all
}

func (w *world) ignore() string {
	return pick(w, "*.yml\n", "extra.*\n", "/apps/*/sub/\n", "**/more.yaml\n", "# none\n*.txt\n", "sub\n!/apps/app-1/sub\n", "/bases\n!/bases\n")
}

// fluxCluster writes what bootstrap writes, and the applications of the cluster.
func (w *world) fluxCluster(folder, shared string) {
	source := object{"interval": "1m", "url": repository.URL, "ref": object{"branch": "main"}}
	if w.chance(10) {
		source["ignore"] = w.ignore()
	}
	w.write(folder+"/flux-system/gotk-sync.yaml",
		object{"apiVersion": sourceAPI, "kind": "GitRepository", "metadata": object{"name": fluxNamespace, "namespace": fluxNamespace}, "spec": source},
		object{
			"apiVersion": kustomizeAPI, "kind": "Kustomization", "metadata": object{"name": fluxNamespace, "namespace": fluxNamespace},
			"spec": object{"interval": "10m", "path": "./" + folder, "prune": true, "sourceRef": object{"kind": "GitRepository", "name": fluxNamespace}},
		})
	w.write(folder+"/flux-system/kustomization.yaml", object{"resources": []string{"gotk-sync.yaml"}})
	if shared == "" {
		w.fluxApplications(folder)
		return
	}
	overlay := object{"resources": []string{"../../" + shared, "flux-system"}}
	if w.chance(60) {
		overlay["patches"] = []object{{
			"target": object{"kind": "Kustomization", "name": "app-.*"},
			"patch":  "- {op: add, path: /spec/postBuild, value: {substitute: {who: " + pick(w, names...) + "}}}\n",
		}}
	}
	if _, is := w.files[shared+"/settings.yaml"]; !is && w.chance(30) {
		w.write(folder+"/settings.yaml", w.fluxSettings(fluxNamespace))
		overlay["resources"] = []string{"../../" + shared, "flux-system", "settings.yaml"}
	}
	w.write(folder+"/kustomization.yaml", overlay)
}

// fluxSettings returns a ConfigMap of variables.
func (w *world) fluxSettings(namespace string) object {
	data := object{"role": pick(w, "view", "edit", "cluster-admin")}
	if w.chance(50) {
		data["who"] = pick(w, names...)
	}
	return object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": "settings", "namespace": namespace}, "data": data}
}

// fluxApplications writes some Kustomizations into the folder, and what they build elsewhere.
func (w *world) fluxApplications(folder string) {
	settings := w.chance(40)
	if settings {
		w.write(folder+"/settings.yaml", w.fluxSettings(fluxNamespace))
	}
	last := ""
	for range 1 + w.IntN(3) {
		name := w.unique("app")
		spec := w.fluxKustomization("apps/"+name, last, settings)
		w.write(folder+"/"+name+".yaml", object{"apiVersion": kustomizeAPI, "kind": "Kustomization", "metadata": object{"name": name, "namespace": fluxNamespace}, "spec": spec})
		last = name
	}
}

// fluxKustomization returns the spec of a Kustomization of the folder, which it fills.
func (w *world) fluxKustomization(folder, before string, settings bool) object {
	spec := object{"interval": "10m", "prune": true, "path": pick(w, "./"+folder, folder, "/"+folder, folder+"/"), "sourceRef": object{"kind": "GitRepository", "name": fluxNamespace}}
	namespace := pick(w, namespaces...)
	if w.chance(40) {
		spec["targetNamespace"] = pick(w, namespaces...)
		namespace = pick(w, "", namespace)
	}
	if w.chance(60) {
		spec["postBuild"] = w.fluxPostBuild(settings)
		w.variables = []string{"who", "role", "unset"}
	}
	switch w.IntN(5) {
	case 0, 1:
		w.folders(folder, namespace)
	case 2, 3:
		w.kustomization(folder, namespace)
	default:
		w.fluxRelease(folder, pick(w, namespaces...))
	}
	w.variables = nil
	_, release := w.files[folder+"/release.yaml"]
	renames := !release || w.chance(20)
	if w.chance(15) && renames {
		spec["namePrefix"] = "flux-"
	}
	if w.chance(10) && renames {
		spec["nameSuffix"] = "-flux"
	}
	if w.chance(30) {
		spec["patches"] = w.patches()
	}
	if w.chance(20) {
		spec["images"] = []object{{"name": images[0], "newTag": "7"}}
	}
	if w.chance(15) {
		component := w.unique("component")
		w.component("components/"+component, namespace)
		spec["components"] = []string{"../../components/" + component}
	}
	if w.chance(5) {
		spec["components"], spec["ignoreMissingComponents"] = []string{"../missing"}, true
	}
	if w.chance(15) {
		spec["commonMetadata"] = object{"labels": object{"team": "common"}, "annotations": object{"note": "x"}}
	}
	if before != "" && w.chance(30) {
		spec["dependsOn"] = []object{{"name": before}}
	}
	return spec
}

func (w *world) fluxPostBuild(settings bool) object {
	postBuild := object{}
	if w.chance(60) {
		substitute := object{"who": pick(w, names...)}
		if w.chance(40) {
			substitute["role"] = pick(w, "view", "admin", "cluster-admin")
		}
		postBuild["substitute"] = substitute
	}
	if w.chance(50) {
		from := object{"kind": "ConfigMap", "name": pick(w, "settings", "settings", "missing")}
		if w.chance(50) || !settings || from["name"] == "missing" {
			from["optional"] = true
		}
		postBuild["substituteFrom"] = []object{from}
	}
	return postBuild
}

// fluxRelease fills the folder with a HelmRelease and the ConfigMap of its values.
func (w *world) fluxRelease(folder, namespace string) {
	spec := object{
		"interval": "10m",
		"chart":    object{"spec": object{"chart": pick(w, "./", "") + w.chart(), "reconcileStrategy": "Revision", "sourceRef": object{"kind": "GitRepository", "name": fluxNamespace, "namespace": fluxNamespace}}},
	}
	if w.chance(50) {
		spec["targetNamespace"] = pick(w, namespaces...)
	}
	if w.chance(30) {
		spec["releaseName"] = w.unique("release")
	}
	if w.chance(70) {
		spec["values"] = w.values()
	}
	if w.chance(20) {
		w.write("values/file.yaml", w.values())
		spec["chart"].(object)["spec"].(object)["valuesFiles"] = []string{spec["chart"].(object)["spec"].(object)["chart"].(string) + "/values.yaml", "values/file.yaml"}
	}
	settings := object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": w.unique("values"), "namespace": namespace}}
	if from := w.valuesFrom(settings); len(from) > 0 {
		spec["valuesFrom"] = from
	}
	if w.chance(30) {
		kustomize := object{"patches": w.patches()}
		if w.chance(30) {
			kustomize["images"] = []object{{"name": images[0], "newTag": "5"}}
		}
		spec["postRenderers"] = []object{{"kustomize": kustomize}}
	}
	if w.chance(15) {
		spec["commonMetadata"] = object{"labels": object{"team": "common"}}
	}
	release := object{"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": object{"name": w.unique("release"), "namespace": namespace}, "spec": spec}
	w.write(folder+"/release.yaml", release, settings)
}

// valuesFrom fills the ConfigMap with values, and returns references to them.
func (w *world) valuesFrom(settings object) []object {
	name := settings["metadata"].(object)["name"]
	data := object{"admin": pick(w, "true", "false", "false\n", "\"true\""), "who": pick(w, names...)}
	settings["data"] = data
	var from []object
	if w.chance(40) {
		data["values.yaml"] = "account: {name: " + pick(w, names...) + "}\nrbac: {admin: " + pick(w, "true", "false") + "}\n"
		from = append(from, object{"kind": "ConfigMap", "name": name})
	}
	if w.chance(40) {
		from = append(from, object{"kind": "ConfigMap", "name": name, "valuesKey": "admin", "targetPath": "rbac.admin"})
	}
	if w.chance(25) {
		from = append(from, object{"kind": "ConfigMap", "name": name, "valuesKey": "who", "targetPath": pick(w, "account.name", "list[0]", "rbac.role")})
	}
	if w.chance(10) {
		from = append(from, object{"kind": "ConfigMap", "name": "missing", "optional": true})
	}
	return from
}
