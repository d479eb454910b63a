package secrets

import (
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// pullSecrets is the field of the Secrets with which images are pulled.
const pullSecrets = "imagePullSecrets"

// Reference is a field that names a Secret of the namespace of its object.
type Reference struct {
	Name string
	// Path leads to the field inside the object.
	Path manifest.Path
	// Mount is true if a pod mounts the Secret as a volume, Pulls if it is used to pull images; otherwise it is used in
	// another way.
	Mount, Pulls bool
}

// References lists the Secrets that an account or the pods of a workload refer to, in the order of the file:
// `secrets` and `imagePullSecrets` of an account; volumes, environment, and pull secrets of a pod. More are as for
// [PodSpecs].
func References(o *objects.Object, more ...objects.PodSpecKind) []Reference {
	r := &secretReferences{}
	if o.Group == "" && o.Kind == "ServiceAccount" {
		r.list(o.Node, nil, "secrets")
		r.list(o.Node, nil, pullSecrets)
	}
	for _, pod := range objects.PodSpecs(o, more...) {
		r.pod(pod)
	}
	return r.found
}

type secretReferences struct{ found []Reference }

func (r *secretReferences) add(n *manifest.Node, path manifest.Path, mount bool) {
	if name := n.Lookup(path[len(path)-1:]).String(); name != "" {
		pulls := len(path) > 2 && path[len(path)-3] == pullSecrets
		r.found = append(r.found, Reference{name, path, mount, pulls})
	}
}

// list adds the names in a list of {name}.
func (r *secretReferences) list(n *manifest.Node, path manifest.Path, field string) {
	for i, item := range objects.Items(n.Get(field)) {
		r.add(item, path.Join(field, strconv.Itoa(i), "name"), false)
	}
}

func (r *secretReferences) pod(pod objects.PodSpec) {
	r.list(pod.Node, pod.Path, pullSecrets)
	for i, volume := range objects.Items(pod.Node.Get("volumes")) {
		path := pod.Path.Join("volumes", strconv.Itoa(i))
		r.add(volume.Get("secret"), path.Join("secret", "secretName"), true)
		for j, source := range objects.Items(volume.Lookup(manifest.Path{"projected", "sources"})) {
			r.add(source.Get("secret"), path.Join("projected", "sources", strconv.Itoa(j), "secret", "name"), true)
		}
	}
	for _, field := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for i, container := range objects.Items(pod.Node.Get(field)) {
			r.container(container, pod.Path.Join(field, strconv.Itoa(i)))
		}
	}
}

func (r *secretReferences) container(container *manifest.Node, path manifest.Path) {
	for i, variable := range objects.Items(container.Get("env")) {
		key := variable.Lookup(manifest.Path{"valueFrom", "secretKeyRef"})
		r.add(key, path.Join("env", strconv.Itoa(i), "valueFrom", "secretKeyRef", "name"), false)
	}
	for i, source := range objects.Items(container.Get("envFrom")) {
		r.add(source.Get("secretRef"), path.Join("envFrom", strconv.Itoa(i), "secretRef", "name"), false)
	}
}
