# METADATA
# title: A grant is applied after the extension that needs it
# description: |
#   OLM acts as the identity of an extension from the moment the extension is applied, or loses its field. What grants the
#   identity its permissions (its account, its bindings, their roles) has to be there by then: in the same sync wave and
#   hook of Argo CD or earlier, in the same hook and weight of Helm or earlier, in the same Flux Kustomization or in one
#   that the extension's depends on. Until the grant is there OLM is refused what it does, an upgrade may stop half-way,
#   and a sync that waits for the extension to become healthy never gets to the grant.
#
#   Compared are the annotations `argocd.argoproj.io/sync-wave` and `argocd.argoproj.io/hook` (PreSync, Sync, PostSync),
#   `helm.sh/hook` (pre-install and pre-upgrade, the release itself, post-install and post-upgrade) and
#   `helm.sh/hook-weight`, and `dependsOn` between Flux Kustomizations whose paths lie in the repository. Within one place
#   in the order all of these tools apply accounts, roles and bindings before custom resources. Reported at the grant.
# related_resources:
#   - ref: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/
#     description: Sync phases and waves of Argo CD
#   - ref: https://helm.sh/docs/topics/charts_hooks/
#     description: Hooks of Helm
#   - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#dependencies
#     description: Dependencies between Flux Kustomizations
# custom:
#   severity: warning
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   context:
#     - ServiceAccount
#     - ClusterRole.rbac.authorization.k8s.io
#     - ClusterRoleBinding.rbac.authorization.k8s.io
#     - Role.rbac.authorization.k8s.io
#     - RoleBinding.rbac.authorization.k8s.io
#     - Kustomization.kustomize.toolkit.fluxcd.io
#   elsewhere: true
#   scope: object
#   fix:
#     name: align-apply-order
#     kind: safe
#     description: Give objects that salint generated the waves and hooks of their extension.
#   examples:
#     - target: synthetic
#       bad: |
#         apiVersion: olm.operatorframework.io/v1
#         kind: ClusterExtension
#         metadata:
#           name: harbor
#         spec:
#           namespace: harbor-system
#           source:
#             sourceType: Catalog
#             catalog:
#               packageName: harbor-operator
#         ---
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: ClusterRoleBinding
#         metadata:
#           name: harbor-extension
#           annotations:
#             argocd.argoproj.io/sync-wave: "5"
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: ClusterRole
#           name: harbor-extension
#         subjects:
#           - apiGroup: rbac.authorization.k8s.io
#             kind: User
#             name: olm:clusterextension:harbor
#     - target: synthetic
#       good: |
#         apiVersion: olm.operatorframework.io/v1
#         kind: ClusterExtension
#         metadata:
#           name: harbor
#           annotations:
#             argocd.argoproj.io/sync-wave: "5"
#         spec:
#           namespace: harbor-system
#           source:
#             sourceType: Catalog
#             catalog:
#               packageName: harbor-operator
#         ---
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: ClusterRoleBinding
#         metadata:
#           name: harbor-extension
#           annotations:
#             argocd.argoproj.io/sync-wave: "5"
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: ClusterRole
#           name: harbor-extension
#         subjects:
#           - apiGroup: rbac.authorization.k8s.io
#             kind: User
#             name: olm:clusterextension:harbor
package salint.rules.olm.apply_order

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.order
import data.salint.lib.rbac
import data.salint.lib.sync

report contains finding if {
	some grant in grants
	order.later(grant.resource, input.resource)
	message := sprintf(
		"%s (%s) is applied after %s (%s), which needs it: %s. Apply it in the same wave and hook, or earlier.",
		[
			lib.sentence(lib.called(grant.resource)), order.place(grant.resource),
			olm.called(extension), order.place(input.resource), consequence,
		],
	)
	finding := aligned(pointing(lib.judged(place(grant.resource), message), grant), grant)
}

report contains finding if {
	some grant in grants
	stage := later_stages[lib.file(grant.ref)]
	message := sprintf(
		concat(" ", [
			"%s is applied after %s, which needs it: %s, which applies it, depends on the one that applies the extension.",
			"%s. Apply it with the extension, or earlier.",
		]),
		[lib.sentence(lib.called(grant.resource)), olm.called(extension), lib.called(stage.resource), lib.sentence(consequence)],
	)
	finding := object.union(
		lib.related(
			pointing(lib.judged(["metadata", "name"], message), grant),
			stage.ref, ["spec", "dependsOn"], "applies the grant",
		),
		{"fix": null}, # The one of METADATA is about waves and hooks.
	)
}

extension := salint.extension(input.resource)

subject := olm.subjects_of(extension)[0]

# grants are the account of the extension, and the bindings of its identity with their roles.
grants := (accounts | bindings) | roles

accounts contains entry if {
	subject.kind == "ServiceAccount"
	some entry in salint.lookup({"kind": "ServiceAccount", "group": "", "namespace": subject.namespace, "name": subject.name})
}

reaching := [binding |
	some binding in salint.bindings_of(subject)
	binding.via != "system:authenticated"
]

bindings contains entry if {
	some binding in reaching
	some entry in salint.find({"group": rbac.group, "kind": binding.kind, "name": binding.name})
	entry.ref == binding.ref
}

roles contains entry if {
	some binding in reaching
	some entry in salint.find({"group": rbac.group, "kind": binding.role.kind, "name": binding.role.name})
	entry.ref == binding.role_ref
}

consequence := "until then OLM may not do what the extension asks of it, and a sync that waits for the extension never gets there"

# place is the annotation that puts a grant where it is; without one it is the extension that comes early.
place(resource) := ["metadata", "annotations", key] if {
	key := [key | some key in order.keys; resource.metadata.annotations[key]][0]
} else := ["metadata", "name"]

pointing(finding, grant) := lib.related(
	lib.at(finding, grant.ref),
	salint.ref(input.resource),
	["metadata"],
	"the extension that needs it",
)

aligned(finding, grant) := finding if generated(grant.resource)

aligned(finding, grant) := lib.without_fix(
	finding,
	"the object is not one that salint generated, and others may depend on its place in the order",
) if {
	not generated(grant.resource)
}

generated(resource) if resource.metadata.labels["app.kubernetes.io/managed-by"] == "salint"

# later_stages gives, for each file with a grant, a Flux Kustomization that applies it after those that apply the
# extension: it depends on one of them, and nothing else applies the file sooner.
later_stages[file] := stage if {
	staged
	own := applying(lib.file(salint.ref(input.resource)))
	count(own) > 0
	some file in {lib.file(grant.ref) | some grant in grants}
	others := applying(file)
	count(others) > 0
	count(others & own) == 0
	every other in others { count(graph.reachable(dependencies, {other}) & own) > 0 }
	first := sort(others)[0]
	stage := [entry | some entry in flux; entry.ref == first][0]
}

flux := salint.anywhere(sync.flux_query)

applying(file) := {entry.ref |
	some entry in flux
	sync.applies(sync.flux(entry.resource), file)
}

staged if {
	some entry in flux
	count(entry.resource.spec.dependsOn) > 0
}

# dependencies are the refs that each Kustomization depends on. Clusters use the same names, so only those of one folder
# depend on each other.
dependencies[entry.ref] := needed if {
	some entry in flux
	needed := {other.ref |
		some needs in object.get(entry.resource.spec, "dependsOn", [])
		namespace := object.get(needs, "namespace", lib.namespace(entry.resource))
		some other in salint.anywhere(object.union(sync.flux_query, {"name": needs.name, "namespace": namespace}))
		lib.folder(lib.file(other.ref)) == lib.folder(lib.file(entry.ref))
	}
}
