# METADATA
# title: A refused change would delete and recreate an extension
# description: |
#   Some fields of a ClusterExtension cannot be changed on a live object: the namespace, and up to operator-controller
#   v1.10 the name of its account. Flux with `force`, and Argo CD with `Force=true` on the object, turn a change that the API
#   server refuses into deleting the object and creating it again; `Replace=true` of Argo CD and `upgrade.force` of a
#   HelmRelease write whole objects instead of patching them, which may recreate them; the remediation strategy `uninstall`
#   of a HelmRelease answers a failed upgrade by uninstalling the release. **Deleting a ClusterExtension deletes its
#   CustomResourceDefinitions, and with them every custom resource of the operator.**
#
#   Judged are the annotations of an extension (`argocd.argoproj.io/sync-options`, `kustomize.toolkit.fluxcd.io/force`, as far
#   as the repository does not say that another tool applies it), and the options of Applications, ApplicationSets, Flux
#   Kustomizations and HelmReleases that apply an extension out of this repository. `Force=true` among the options of an
#   Application does nothing in Argo CD, and is not reported.
# related_resources:
#   - ref: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
#     description: Sync options of Argo CD
#   - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#force
#     description: What force does in Flux
#   - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-configuration
#     description: What force and remediation do in a HelmRelease
#   - ref: https://operator-framework.github.io/operator-controller/tutorials/uninstall-extension/
#     description: What goes with an extension
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
#   fix: none
package salint.rules.olm.destructive_sync

import data.salint.lib
import data.salint.lib.olm

# An option on the extension itself.
report contains finding if {
	extension := salint.extension(input.resource)
	some danger in salint.sync_dangers(input.resource)
	message := sprintf("%s is synced with %s. %s", [olm.called(extension), danger.what, loss[danger.effect]])
	finding := lib.finding(danger.path, message)
}

# An option of an application, for all extensions that it applies.
report contains finding if {
	not salint.extension(input.resource)
	some danger in salint.endangered(olm.extension_query)
	message := sprintf("%s is set to %s, and applies %s. %s", [
		lib.sentence(lib.called(input.resource)), danger.what,
		lib.listed([extension_called(entry) | some entry in danger.objects]), loss[danger.effect],
	])
	finding := object.union(lib.finding(danger.path, message), {"related": [related |
		some entry in danger.objects
		related := {"ref": entry.ref, "path": [], "message": sprintf("%s is applied by it", [extension_called(entry)])}
	]})
}

extension_called(entry) := olm.called(salint.extension(entry.resource))

data_loss := concat(" ", [
	"Deleting a ClusterExtension deletes its CustomResourceDefinitions, and every custom resource with them.",
	"Take the option away from extensions.",
])

loss := {
	"force": sprintf("A change that the API server refuses becomes delete-and-create. %s", [data_loss]),
	"replace": sprintf("Objects are replaced instead of patched, which may delete and create them again. %s", [data_loss]),
	"uninstall": sprintf("When an upgrade fails, everything that was applied is uninstalled. %s", [data_loss]),
}
