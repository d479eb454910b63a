# Which folders of the repository Argo CD and Flux sync.
package salint.lib.sync

import data.salint.lib

# queries ask for the objects that sync folders.
queries := [
	{"group": "argoproj.io", "kind": "Application"},
	{"group": "argoproj.io", "kind": "ApplicationSet"},
	flux_query,
]

flux_query := {"group": "kustomize.toolkit.fluxcd.io", "kind": "Kustomization"}

# folder is a path of a sync from the root of the repository; undefined for one that is filled in later.
folder(path) := concat("/", steps) if {
	not lib.templated(path)
	steps := [step | some step in split(path, "/"); not step in {"", "."}]
	count(steps) > 0
}

folder(path) := "." if every step in split(path, "/") { step in {"", "."} }

# argo is what a source of an Application syncs, and flux what a Kustomization does: {path, whole}. A path that is the
# root of a repository may be that of another one. It is sure to mean all folders of this one only where `whole` is true.
argo(source) := {"by": "Argo CD", "path": folder(source.path), "whole": recursive(source)}

flux(kustomization) := {
	"by": "Flux",
	"path": folder(object.get(kustomization.spec, "path", "")),
	"whole": bootstrapped(kustomization),
}

default recursive(_) := false

recursive(source) if source.directory.recurse == true

# bootstrapped tells that the source is the one that `flux bootstrap` makes: the repository the manifest lies in.
default bootstrapped(_) := false

bootstrapped(kustomization) if kustomization.spec.sourceRef.name == "flux-system"

# applies tells that a sync applies a file of the repository.
applies(sync, file) if {
	sync.path != "."
	lib.below(file, sync.path)
}

applies({"path": ".", "whole": true, "by": _}, _)

applies({"path": ".", "whole": false, "by": _}, file) if lib.folder(file) == "."

# builds tells that a sync runs the kustomization in a folder. Flux also runs those in the folders below its path.
builds(sync, root) if sync.path == root

builds(sync, root) if {
	sync.by == "Flux"
	not sync.path in {".", root}
	lib.below(root, sync.path)
}
