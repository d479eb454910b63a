# METADATA
# title: A rejected change would delete and recreate an extension
# description: |
#   Some fields of a ClusterExtension cannot be changed on a live object: the namespace, and up to operator-controller
#   v1.10 the name of its account. Flux with `force`, and Argo CD with `Force=true` on the object, answer a change that
#   the API server rejects by deleting and recreating the object. `Replace=true` of Argo CD and `upgrade.force` of a
#   HelmRelease replace whole objects instead of patching them, which can recreate them. The remediation strategy
#   `uninstall` of a HelmRelease answers a failed upgrade by uninstalling the release. **Deleting a ClusterExtension
#   deletes its CustomResourceDefinitions, and with them every custom resource of the operator.**
#
#   This rule checks the annotations of an extension (`argocd.argoproj.io/sync-options`,
#   `kustomize.toolkit.fluxcd.io/force`), unless the repository shows that another tool applies it, and the options of
#   Applications, ApplicationSets, Flux Kustomizations, and HelmReleases that apply an extension of this repository.
#   `Force=true` among the options of an Application has no effect in Argo CD, and is not reported.
# related_resources:
#   - ref: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
#     description: Sync options of Argo CD
#   - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#force
#     description: The field force of Flux
#   - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-configuration
#     description: The fields force and remediation of a HelmRelease
#   - ref: https://operator-framework.github.io/operator-controller/tutorials/uninstall-extension/
#     description: What is deleted with an extension
# custom:
#   severity: warning
#   kinds:
#     - ClusterExtension.olm.operatorframework.io
#     - Application.argoproj.io
#     - ApplicationSet.argoproj.io
#     - Kustomization.kustomize.toolkit.fluxcd.io
#     - HelmRelease.helm.toolkit.fluxcd.io
#   words: [Replace=true, force, uninstall, olm.operatorframework.io]
#   reads: [ClusterExtension.olm.operatorframework.io]
#   evaluate_if: [sync-destructive]
#   fix: none
package salint.rules.olm.destructive_sync

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.lib

# An option on the extension itself.
report contains finding if {
	extension := salint.extension(input.resource)
	some danger in salint.sync_dangers(input.resource)
	message := sprintf("%s is synced with %s. %s. %s", [olm.called(extension), danger.what, loss[danger.effect], remedy])
	finding := lib.case(lib.finding(danger.path, message), danger.what)
}

# An option of an application, for all extensions that it applies.
report contains finding if {
	not salint.extension(input.resource)
	some danger in salint.endangered(olm.extension_query)
	message := sprintf("%s sets %s for %s. %s. %s", [
		helpers.sentence(helpers.called(input.resource)), danger.what,
		helpers.listed([extension_called(entry) | some entry in danger.objects]), loss[danger.effect], remedy,
	])
	finding := object.union(lib.case(lib.finding(danger.path, message), danger.what), {"related": [related |
		some entry in danger.objects
		related := {"ref": entry.ref, "path": [], "message": sprintf("%s is applied with this option", [extension_called(entry)])}
	]})
}

extension_called(entry) := olm.called(salint.extension(entry.resource))

remedy := "Apply extensions without this option."

loss := {
	"force": sprintf("A rejected change deletes the extension, with %s", [olm.deleted_data]),
	"replace": sprintf("Replacing an extension can delete it, with %s", [olm.deleted_data]),
	"uninstall": sprintf("A failed upgrade uninstalls the extension, with %s", [olm.deleted_data]),
}
