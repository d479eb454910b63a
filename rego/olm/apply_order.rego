# METADATA
# title: A grant is applied after the extension that needs it
# description: |
#   OLM acts as the identity of an extension from the moment the extension is applied, or loses its field. What grants the
#   identity its permissions (its account, its bindings, their roles) has to be there by then: in the same sync wave and
#   hook of Argo CD or earlier, in the same hook and weight of Helm or earlier, in the same Flux Kustomization or in one
#   that the extension's depends on. Until the grant is there OLM is refused what it does, an upgrade may stop half-way,
#   and a sync that waits for the extension to become healthy never gets to the grant.
#
#   Compared is what counts for the tool that applies the two, as far as the repository says: in Argo CD the annotations
#   `argocd.argoproj.io/sync-wave` and `argocd.argoproj.io/hook` (PreSync, Sync, PostSync), or else those of Helm; in a
#   release of Helm `helm.sh/hook` (pre-install and pre-upgrade, the release itself, post-install and post-upgrade) and
#   `helm.sh/hook-weight`. A hook that no successful sync runs never grants anything. Where nothing says which tool it is,
#   both count. Within one place in the order all of these tools apply accounts, roles and bindings before custom resources.
#
#   What different applications apply is ordered by the waves of the Applications, where one other applies both, and by
#   `dependsOn` between Flux Kustomizations or HelmReleases. What nothing orders is not reported. Reported at the grant.
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
#   reads: [ServiceAccount, rbac]
#   fix:
#     name: align-apply-order
#     kind: safe
#     description: Give objects that salint generated the waves and hooks of their extension.
package salint.rules.olm.apply_order

import data.salint.lib
import data.salint.lib.olm

report contains finding if {
	some grant in salint.late_grants(olm.subjects_of(extension)[0])
	finding := fixed(related(lib.judged(path(grant), message(grant)), grant), grant)
}

extension := salint.extension(input.resource)

# path leads to the annotation that puts a grant where it is; without one it is the extension that comes early.
path(grant) := ["metadata", "annotations", grant.annotation] if {
	grant.annotation != ""
} else := ["metadata", "name"]

message(grant) := sprintf(
	"%s is applied after %s, which needs it: %s. %s. %s",
	[lib.sentence(lib.called(grant.resource)), olm.called(extension), grant.why, consequence, advice(grant)],
) if {
	not grant.never
} else := sprintf(
	"%s is never applied, and %s needs it: %s. %s. %s",
	[lib.sentence(lib.called(grant.resource)), olm.called(extension), grant.why, never_granted, advice(grant)],
)

consequence := "Until then OLM may not do what the extension asks of it, and a sync that waits for the extension never gets there"

never_granted := "Without it OLM may not do what the extension asks of it"

advice(grant) := "Apply it in the same wave and hook, or earlier." if {
	grant.together
} else := "Apply it with the extension, or earlier."

related(finding, grant) := placed(
	lib.related(lib.at(finding, grant.ref), salint.ref(input.resource), ["metadata"], "the extension that needs it"),
	grant.place,
)

# placed shows what puts the grant where it is, if that is not its own annotation.
placed(finding, place) := finding if {
	place.ref == ""
} else := lib.related(finding, place.ref, place.path, "puts the grant where it is in the order")

# fixed keeps the fix of METADATA for what waves and hooks order and salint generated.
fixed(finding, grant) := object.union(finding, {"fix": null}) if {
	not grant.together
} else := finding if {
	generated(grant.resource)
} else := lib.without_fix(
	finding,
	"the object is not one that salint generated, and others may depend on its place in the order",
)

generated(resource) if resource.metadata.labels["app.kubernetes.io/managed-by"] == "salint"
