# METADATA
# title: A grant is applied after the extension that needs it
# description: |
#   OLM acts as the identity of an extension as soon as the extension is applied, or loses its field. By then,
#   everything that grants permissions to the identity (its account, its bindings, their roles) must exist: in the same
#   sync wave and hook of Argo CD or an earlier one, in the same hook and weight of Helm or an earlier one, in the same
#   Flux Kustomization or in one that the extension's depends on. Until then, OLM is forbidden to act for the extension,
#   an upgrade can stop partway, and a sync that waits for the extension to become healthy never reaches the grant.
#
#   The rule compares what counts for the tool that applies both, if the repository shows which one that is. For Argo
#   CD, these are the annotations `argocd.argoproj.io/sync-wave` and `argocd.argoproj.io/hook` (PreSync, Sync,
#   PostSync); without them, those of Helm. For a release of Helm, these are `helm.sh/hook` (pre-install and
#   pre-upgrade, the release itself, post-install and post-upgrade) and `helm.sh/hook-weight`. If the tool is unknown,
#   the annotations of both count. A hook that no successful sync runs never grants anything. Within one wave or weight,
#   all of these tools apply accounts, roles, and bindings before custom resources.
#
#   The objects of different applications are ordered by the waves of the Applications, if a parent application applies
#   both, and by `dependsOn` between Flux Kustomizations or HelmReleases. Objects without an order are not reported. The
#   finding is at the grant.
# related_resources:
#   - ref: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/
#     description: Sync phases and waves of Argo CD
#   - ref: https://helm.sh/docs/topics/charts_hooks/
#     description: Chart hooks of Helm
#   - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#dependencies
#     description: Dependencies between Flux Kustomizations
# custom:
#   severity: warning
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [ServiceAccount, rbac]
#   evaluate_if: [grants-late]
#   fix:
#     name: align-apply-order
#     kind: safe
#     description: Align the waves and hooks of objects that salint generated with those of their extension.
package salint.rules.olm.apply_order

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	some grant in salint.late_grants(olm.subjects_of(extension)[0])
	about := lib.case(helpers.judged(path(grant), message(grant)), [moment(grant), this_extension])
	finding := fixed(related(about, grant), grant)
}

extension := salint.extension(input.resource)

# this_extension distinguishes the extensions that need one grant.
this_extension := {"ref": salint.ref(input.resource), "path": ["metadata", "name"]}

moment(grant) := "never" if {
	grant.never
} else := "later"

# path returns the path to the annotation that orders the grant. Without one, the extension is the object with an order.
path(grant) := ["metadata", "annotations", grant.annotation] if {
	grant.annotation != ""
} else := ["metadata", "name"]

message(grant) := sprintf("%s is applied after %s: %s. %s. %s", [
	helpers.sentence(helpers.called(grant.resource)), olm.called(extension), grant.why,
	"Until then, OLM lacks permissions", sprintf("%s, because %s.", [advice(grant), "a sync that waits for the extension never reaches the grant"]),
]) if {
	not grant.never
} else := sprintf("%s is never applied, but %s needs it: %s. %s. %s", [
	helpers.sentence(helpers.called(grant.resource)), olm.called(extension), grant.why,
	"OLM lacks permissions without it", sprintf("%s.", [advice(grant)]),
])

advice(grant) := "Apply it in the same wave and hook, or earlier" if {
	grant.together
} else := "Apply it with the extension, or earlier"

related(finding, grant) := placed(
	lib.related(lib.at(finding, grant.ref), salint.ref(input.resource), ["metadata"], "the extension that needs it"),
	grant.place,
)

# placed adds the place that orders the grant, unless it is the annotation of the grant.
placed(finding, place) := finding if {
	place.ref == ""
} else := lib.related(finding, place.ref, place.path, "determines when the grant is applied")

# fixed keeps the fix of METADATA for objects that waves and hooks order and that salint generated.
fixed(finding, grant) := object.union(finding, {"fix": null}) if {
	not grant.together
} else := finding if {
	generated(grant.resource)
} else := lib.without_fix(
	finding,
	"salint did not generate the object, and other objects can depend on its order",
)

generated(resource) if resource.metadata.labels["app.kubernetes.io/managed-by"] == "salint"
