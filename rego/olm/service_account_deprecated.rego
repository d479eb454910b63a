# METADATA
# title: ClusterExtension sets the deprecated field spec.serviceAccount
# description: |
#   OLM v1 stops installing each extension as a separate ServiceAccount. The effect of the field depends on the release:
#
#   * `required`: OLM acts as the account. This is not reported.
#   * `synthetic`: the field is optional and still honored, using a token. Without it, OLM impersonates the user
#     `olm:clusterextension:<name>` in the group `olm:clusterextensions`, which has only the permissions that are bound
#     to it.
#   * `ignored`: the field has no effect. OLM acts as its own cluster-admin account and warns: "spec.serviceAccount is
#     deprecated, ignored, and will be removed in a future release." (operator-controller v1.11.0), or, as proposed for
#     OpenShift, "[DEPRECATION] 'spec.serviceAccount' is specified in ClusterExtension 'NAME', but is ignored and will
#     be removed in a future release."
#   * `removed`: the field is gone. kubectl and server-side apply reject the manifest; other clients drop the field.
#
#   The order is: upgrade, remove the field, remove the objects that only the field needed. Under `synthetic`, the
#   permissions of the account are first granted to the synthetic identity.
#
#   A field that is removed from Git can remain on the live object if another manager owns it, or if the object has no
#   last-applied annotation. Check with
#   `kubectl get clusterextension NAME -o jsonpath='{.spec.serviceAccount}'`, and remove it with
#   `kubectl patch clusterextension NAME --type=json -p='[{"op":"remove","path":"/spec/serviceAccount"}]'`.
# related_resources:
#   - ref: https://operator-framework.github.io/operator-controller/api-reference/olmv1-api-reference/
#     description: The ClusterExtension API of the current release
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/concepts/permission-model.md
#     description: The permission model up to operator-controller v1.10
# custom:
#   severity: warning
#   rationale: |
#     An account that OLM no longer acts as keeps its permissions. These are often cluster-admin, and anyone who can
#     create pods in its namespace can use the account. The limits of the account are also gone: under `ignored`, every
#     extension is installed as cluster-admin, regardless of the manifest.
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   words: [serviceAccount]
#   reads: [ServiceAccount, rbac]
#   evaluate_if: [account-named]
#   fix:
#     name: remove-service-account
#     kind: safe
#     description: >-
#       Remove the field, and first grant the synthetic identity the permissions of the account, where the target
#       uses it.
package salint.rules.olm.service_account_deprecated

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	severity := severities[input.model]
	extension := salint.extension(input.resource)
	olm.named(extension)
	finding := lib.case(lib.with_severity(helpers.judged(extension.account.path, message(extension)), severity), input.model)
}

# A required field is not deprecated.
severities := {"synthetic": "warning", "ignored": "warning", "removed": "error", "unknown": "warning"}

message(extension) := sprintf(
	"%s, which is optional %s. Without it, OLM impersonates %s. Grant this user the permissions of the account, then remove the field.",
	[field_set(extension), helpers.on_target, user(extension)],
) if {
	input.model == "synthetic"
} else := sprintf("%s, which %s. Remove the field.", [field_set(extension), olm.no_effect]) if {
	input.model == "ignored"
} else := sprintf("%s sets %s, which %s does not have. %s. Remove the field before the upgrade.", [
	olm.called(extension), olm.field(extension), helpers.target, olm.rejected_unknown("the field"),
]) if {
	input.model == "removed"
} else := sprintf("%s, which is %s, and %s. %s.", [
	field_set(extension), olm.required_through, olm.ignored_from, olm.remove_when_ignored,
]) if {
	helpers.release_unknown
}

field_set(extension) := sprintf("%s names %s in %s", [olm.called(extension), olm.account(extension), olm.field(extension)])

# The prefix or suffix of a kustomization that could not be built changes the user with the name of the extension.
user(extension) := sprintf("User %s", [olm.user(extension)]) if {
	extension.name != ""
	count(object.get(input.unit, "transforms", [])) == 0
} else := sprintf("User %s<its name as applied>", [olm.user_prefix])
