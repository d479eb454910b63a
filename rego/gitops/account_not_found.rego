# METADATA
# title: Argo CD or Flux impersonates an account that does not exist
# description: |
#   A Kustomization or HelmRelease of Flux with `spec.serviceAccountName` is applied as this account of the same namespace, and
#   an Application of Argo CD as the account that its AppProject sets for its destination, if
#   `application.sync.impersonation.enabled` is set. Both tools impersonate the account by its name and do not create it. Without
#   the account, only bindings that happen to have its name allow anything, other requests are forbidden without a hint
#   at the account, and Flux does not delete what it applied.
#
#   Manifests are only one of many sources of accounts. So a missing account is reported only if all of these conditions hold:
#
#   * What the repository applies to the cluster of the Kustomization, HelmRelease, or Application creates other accounts in the
#     namespace: the deployment unit that contains it, what it applies itself, and the units of the applications beside it.
#   * No manifest of the repository creates this account, in this namespace or in an unknown one, and no script or string does.
#   * Nothing can create it there that the repository does not contain: an operator, a chart, or an application with a source in
#     another repository that is not impersonated.
#   * The deployment unit could be read completely.
#
#   The accounts that a controller creates in every namespace count as existing, also on clusters other than OpenShift, because
#   the kind of cluster is rarely known: `default`, and `builder`, `deployer`, and `pipeline` on OpenShift. So a missing account
#   `deployer` is not reported. Accounts of namespaces called `kube-…` and `openshift-…`, which belong to the cluster, are not either.
#
#   An Application without any account is reported, too: Argo CD refuses to sync it, unless
#   `application.sync.impersonation.enforced` is `false`. This requires that the AppProject and the ConfigMap `argocd-cm` are in the
#   repository, and that there are no global projects.
#
#   Not checked are suspended objects, names that are filled in later, and Flux with a `kubeConfig`, which leads to another cluster.
#   Without `spec.serviceAccountName`, Flux acts as its controller, or as the account of `--default-service-account`: that is checked, too,
#   if all controllers of the repository have the same one.
# related_resources:
#   - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#role-based-access-control
#     description: The account of a Kustomization
#   - ref: https://fluxcd.io/flux/components/helm/helmreleases/#role-based-access-control
#     description: The account of a HelmRelease
#   - ref: https://github.com/fluxcd/kustomize-controller/issues/682
#     description: What Flux reports about an account that does not exist
#   - ref: https://argo-cd.readthedocs.io/en/stable/operator-manual/app-sync-using-impersonation/
#     description: Impersonation in Argo CD
#   - ref: https://github.com/argoproj/argo-cd/issues/22486
#     description: Applications without an account
# custom:
#   severity: error
#   kinds:
#     - AppProject.argoproj.io
#     - Kustomization.kustomize.toolkit.fluxcd.io
#     - HelmRelease.helm.toolkit.fluxcd.io
#   words: [serviceAccountName, AppProject, kustomize.toolkit.fluxcd.io, helm.toolkit.fluxcd.io]
#   skip_unless: [acting-account]
#   evaluate_if: [acts-as-account]
#   reads: [opaque_installers, account_creators]
#   reads_all: [ServiceAccount]
#   fix: none
package salint.rules.gitops.account_not_found

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.rbac.missing
import data.salint.lib

report contains finding if {
	some acting in salint.acting_accounts(input.resource)
	acting.name != ""
	count(acting.siblings) > 0
	not acting.brought
	accounts.may_be_judged(acting.name, acting.namespace)
	not accounts.made(acting.name, acting.namespace)
	finding := pointing(
		lib.case(lib.finding(acting.path, message(acting)), [acting.namespace]), acting,
		sprintf("%s is applied as this account", [acting.title]),
	)
}

# The project sets no account for the destination of an Application.
report contains finding if {
	some acting in salint.acting_accounts(input.resource)
	acting.name == ""
	helpers.whole
	finding := pointing(
		lib.case(lib.finding(acting.path, unset_message(acting)), ["unset", {"ref": acting.application.ref, "path": ["metadata", "name"]}]),
		acting, sprintf("%s has no account", [acting.title]),
	)
}

pointing(finding, acting, text) := by_default(finding, acting) if {
	acting.application.ref == salint.ref(input.resource)
} else := lib.related(finding, acting.application.ref, ["spec", "destination"], text)

# by_default adds the controller that sets the account for all objects that name none.
by_default(finding, acting) := lib.related(finding, acting.by_default.ref, acting.by_default.path, "--default-service-account sets the account") if {
	acting.by_default.ref != ""
} else := finding

message(acting) := sprintf("%s is applied as %s. %s. Create the account, or correct the name.", [
	acting.title,
	missing.object_called(
		accounts.titled(acting.name, acting.namespace),
		sprintf(" (its namespace has %s)", [helpers.listed(acting.siblings)]),
	),
	consequence[acting.tool],
])

consequence := {
	"Argo CD": "Requests that no binding allows to this name are forbidden",
	"Flux Kustomization": "Requests are forbidden, or objects are never deleted",
	"Flux HelmRelease": "Requests are forbidden, or the release is never uninstalled",
}

unset_message(acting) := sprintf("%s sets no account for the destination of %s. %s. %s.", [
	helpers.called(input.resource), acting.title,
	"Argo CD impersonates accounts (application.sync.impersonation.enabled), and refuses to sync without one",
	"Add the destination to destinationServiceAccounts",
])
