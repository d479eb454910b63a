# METADATA
# title: The account that Argo CD or Flux impersonates lacks permissions for what it applies
# description: |
#   A Kustomization or HelmRelease of Flux with `spec.serviceAccountName` is applied as this account, without it as that of
#   `--default-service-account`, if the controller sets one, and an Application of Argo CD
#   as the account that its AppProject sets for its destination, if `application.sync.impersonation.enabled` is set. This rule compares
#   what the account needs to apply the objects with what the roles and bindings of the repository grant to the account and its groups:
#
#   * `create` on each kind, and `patch` on each object; Helm and Argo CD also read (`get`) each object, unless Argo CD applies on the
#     server (`ServerSideApply=true`);
#   * `delete` on each object, if the application prunes, and for Flux also `get`;
#   * for a HelmRelease, to write and list the Secrets in which Helm keeps the release, in the namespace of the HelmRelease or in its
#     `storageNamespace`, whatever its target namespace is;
#   * for a namespace that is to be created (`install.createNamespace`, `CreateNamespace=true`), `create` on namespaces;
#   * where Flux waits for workloads (`wait`, `healthChecks`, a HelmRelease without `disableWait`), `list` on the ReplicaSets of
#     Deployments, and for a Kustomization on pods;
#   * for a role, all of its permissions, or `escalate`; for a binding, all permissions of its role, or `bind`. An account that is
#     bound to the default role `admin` can write roles and bindings in its namespace, but has neither of these verbs.
#
#   What any deployment unit of the repository grants to the account is not missing. An account is not reported if no binding names it
#   among what the repository applies to its cluster, or in the plain files beside the application: its permissions are not in the
#   repository. If it is bound to roles whose rules are not all known, or if a binding is filled in later, these can grant the missing
#   permissions: the finding is then a note. The rules of default roles are known, but roles that are not in the repository can
#   add to `admin`, `edit`, and `view`.
#
#   Not checked are bindings of roles that are not in the repository, objects of kinds whose resource is unknown, hooks, objects that are replaced or that Flux ignores, objects
#   whose name or namespace is filled in later, objects that could not be built, and charts of other repositories. Also not
#   checked are suspended applications, and Flux with a `kubeConfig`, which leads to another cluster.
# related_resources:
#   - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#role-based-access-control
#     description: The account of a Kustomization
#   - ref: https://github.com/fluxcd/kustomize-controller/issues/748
#     description: Permissions of accounts that Flux impersonates
#   - ref: https://argo-cd.readthedocs.io/en/stable/operator-manual/app-sync-using-impersonation/
#     description: Impersonation in Argo CD
#   - ref: https://kubernetes.io/docs/reference/using-api/server-side-apply/
#     description: Server-side apply, which needs the verbs patch and create
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping
#     description: What writing roles and bindings needs
# custom:
#   severity: warning
#   kinds:
#     - AppProject.argoproj.io
#     - Kustomization.kustomize.toolkit.fluxcd.io
#     - HelmRelease.helm.toolkit.fluxcd.io
#   words: [serviceAccountName, destinationServiceAccounts, kustomize.toolkit.fluxcd.io, helm.toolkit.fluxcd.io]
#   skip_unless: [acting-account]
#   evaluate_if: [acts-as-account]
#   reads: [ServiceAccount, rbac]
#   fix: none
package salint.rules.gitops.insufficient_permissions

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.bundles
import data.salint.lib

report contains finding if {
	helpers.whole
	some answer in salint.apply_preflight(input.resource)
	found := lib.case(
		lib.finding(answer.path, message(answer)),
		array.concat([certainty(answer), answer.namespace], bundles.named(answer.missing)),
	)
	finding := as_known(pointing(found, answer), answer)
}

# doubtful lists what can grant the missing permissions.
doubtful(answer) := array.concat(
	[helpers.titled(role.kind, role.namespace, role.name) | some role in answer.unknown],
	["bindings that are filled in later" | answer.uncertain],
)

certainty(answer) := "lacking" if {
	count(doubtful(answer)) == 0
} else := "doubtful"

as_known(finding, answer) := finding if {
	count(doubtful(answer)) == 0
} else := lib.with_severity(finding, "note")

pointing(finding, answer) := bound(finding, answer) if {
	answer.application.ref == salint.ref(input.resource)
} else := lib.related(bound(finding, answer), answer.application.ref, ["spec", "destination"], sprintf("%s is applied as this account", [answer.title]))

# bound adds the first three bindings of the account in the deployment unit.
bound(finding, answer) := object.union(finding, {"related": [related |
	some binding in array.slice(salint.bindings_of({"kind": "ServiceAccount", "namespace": answer.namespace, "name": answer.name}), 0, 3)
	binding.via == ""
	related := {"ref": binding.ref, "path": ["roleRef"], "message": sprintf("%s is bound here", [called(answer)])}
]})

called(answer) := accounts.titled(answer.name, answer.namespace)

# needed_for names what the tool needs in addition to applying the objects.
needed_for(answer) := sprintf(" for its objects (%s)", [concat("; ", answer.purposes)]) if {
	count(object.get(answer, "purposes", [])) > 0
} else := " for its objects"

message(answer) := sprintf("%s is applied as %s, which lacks permissions%s. %s: %s.", [
	answer.title, called(answer), needed_for(answer),
	"The requests are forbidden. Grant the account", bundles.rules_text(answer.summary),
]) if {
	count(doubtful(answer)) == 0
} else := sprintf("%s is applied as %s, which might lack permissions%s: not all rules of %s are known. Check whether they grant: %s.", [
	answer.title, called(answer), needed_for(answer), helpers.listed(doubtful(answer)), bundles.rules_text(answer.summary),
])
