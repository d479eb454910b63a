# METADATA
# title: A refused change would delete and recreate an extension
# description: |
#   Some fields of a ClusterExtension cannot be changed on a live object: the namespace, and up to operator-controller
#   v1.10 the name of its account. Flux with `force` and Argo CD with `Force=true` turn a change that the API server
#   refuses into deleting the object and creating it again; `Replace=true` replaces objects, and recreates what cannot be
#   replaced. **Deleting a ClusterExtension deletes its CustomResourceDefinitions, and with them every custom resource of
#   the operator.**
#
#   Judged are the annotations of an extension (`argocd.argoproj.io/sync-options`, `kustomize.toolkit.fluxcd.io/force`),
#   and the options of an Argo CD Application or a Flux Kustomization whose path, taken from the root of the repository,
#   contains an extension or is a kustomization that applies one. A path that is the whole repository counts where it is
#   sure to be this one: in Flux for the source `flux-system`, in Argo CD for what lies in that folder itself, or in all
#   folders with `recurse: true`.
# related_resources:
#   - ref: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
#     description: Sync options of Argo CD
#   - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#force
#     description: What force does in Flux
#   - ref: https://operator-framework.github.io/operator-controller/tutorials/uninstall-extension/
#     description: What goes with an extension
# custom:
#   severity: warning
#   kinds:
#     - ClusterExtension.olm.operatorframework.io
#     - Application.argoproj.io
#     - ApplicationSet.argoproj.io
#     - Kustomization.kustomize.toolkit.fluxcd.io
#   words: [Replace=true, Force=true, force, olm.operatorframework.io]
#   context:
#     - ClusterExtension.olm.operatorframework.io
#     - Application.argoproj.io
#     - ApplicationSet.argoproj.io
#     - Kustomization.kustomize.toolkit.fluxcd.io
#   elsewhere: true
#   scope: object
#   fix: none
#   examples:
#     - bad: |
#         apiVersion: olm.operatorframework.io/v1
#         kind: ClusterExtension
#         metadata:
#           name: harbor
#           annotations:
#             argocd.argoproj.io/sync-options: Force=true,Replace=true
#         spec:
#           namespace: harbor-system
#           source:
#             sourceType: Catalog
#             catalog:
#               packageName: harbor-operator
#       target: olm-1.11
#     - good: |
#         apiVersion: olm.operatorframework.io/v1
#         kind: ClusterExtension
#         metadata:
#           name: harbor
#           annotations:
#             argocd.argoproj.io/sync-options: ServerSideApply=true
#         spec:
#           namespace: harbor-system
#           source:
#             sourceType: Catalog
#             catalog:
#               packageName: harbor-operator
#       target: olm-1.11
package salint.rules.olm.destructive_sync

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.sync

# An option on the extension itself.
report contains finding if {
	extension := salint.extension(input.resource)
	some key in [argo_annotation, flux_annotation]
	option := annotated(key, input.resource.metadata.annotations[key])
	message := sprintf("%s is synced with %s. %s", [olm.called(extension), option, loss[kind_of(option)]])
	finding := lib.finding(["metadata", "annotations", key], message)
}

# An option of whatever syncs the folder of an extension.
report contains finding if {
	some option in options(input.resource)
	extensions := [entry |
		some entry in salint.anywhere(olm.extension_query)
		sync.applies(option.sync, lib.file(entry.ref))
	]
	count(extensions) > 0
	finding := object.union(lib.finding(option.path, synced(input.resource, option, extensions)), {"related": [related |
		some entry in array.slice(extensions, 0, 5)
		related := {"ref": entry.ref, "path": [], "message": sprintf("%s is synced by it", [extension_called(entry)])}
	]})
}

# An option of whatever syncs the kustomization that the extension is applied with, from a base outside of its folder.
report contains finding if {
	input.unit.kind == "kustomization"
	salint.extension(input.resource)
	file := lib.file(salint.ref(input.resource))
	some query in sync.queries
	some entry in salint.anywhere(query)
	some option in options(entry.resource)
	not sync.applies(option.sync, file)
	sync.builds(option.sync, input.unit.root)
	self := {"ref": salint.ref(input.resource), "resource": input.resource}
	finding := lib.at(
		lib.related(
			lib.finding(option.path, synced(entry.resource, option, [self])),
			self.ref, [], sprintf("%s is applied by the kustomization in %s", [extension_called(self), input.unit.root]),
		),
		entry.ref,
	)
}

argo_annotation := "argocd.argoproj.io/sync-options"

flux_annotation := "kustomize.toolkit.fluxcd.io/force"

# annotated is the option that an annotation sets; undefined when it sets none of these.
annotated(key, value) := option if {
	key == argo_annotation
	option := destructive([trim_space(option) | some option in split(value, ",")])
}

annotated(key, value) := sprintf("%s: %s", [key, value]) if {
	key == flux_annotation
	lower(value) in {"enabled", "true"}
}

# destructive is the worst of Argo CD's options.
destructive(names) := "Force=true" if {
	"Force=true" in names
} else := "Replace=true" if {
	"Replace=true" in names
}

# options are those of an object that syncs folders: which option, where it stands, and what it holds for.
options(resource) := argo_options(resource) | flux_options(resource)

argo_options(resource) := {option |
	some [prefix, spec] in application_specs(resource)
	worst := destructive(spec.syncPolicy.syncOptions)
	some index, value in spec.syncPolicy.syncOptions
	value == worst
	some source in array.concat([object.get(spec, "source", {})], object.get(spec, "sources", []))
	option := {
		"name": worst,
		"path": array.concat(prefix, ["syncPolicy", "syncOptions", index]),
		"sync": sync.argo(source),
	}
}

flux_options(resource) := {option |
	resource.kind == "Kustomization"
	resource.spec.force == true
	option := {"name": "force: true", "path": ["spec", "force"], "sync": sync.flux(resource)}
}

application_specs(resource) := [[["spec"], resource.spec]] if resource.kind == "Application"

application_specs(resource) := [[["spec", "template", "spec"], resource.spec.template.spec]] if {
	resource.kind == "ApplicationSet"
}

application_specs(resource) := [] if not resource.kind in {"Application", "ApplicationSet"}

synced(resource, option, extensions) := sprintf("%s syncs %s with %s, and with it %s. %s", [
	lib.sentence(lib.called(resource)), place(option.sync.path), option.name,
	lib.listed([extension_called(entry) | some entry in extensions]), loss[kind_of(option.name)],
])

place(".") := "the root of the repository"

place(path) := path if path != "."

extension_called(entry) := olm.called(salint.extension(entry.resource))

kind_of(option) := "replace" if {
	option == "Replace=true"
} else := "force"

data_loss := concat(" ", [
	"Deleting a ClusterExtension deletes its CustomResourceDefinitions, and every custom resource with them.",
	"Take the option away from extensions.",
])

loss := {
	"force": sprintf("A change that the API server refuses becomes delete-and-create. %s", [data_loss]),
	"replace": sprintf("Objects are replaced, and what cannot be replaced is deleted and created again. %s", [data_loss]),
}
