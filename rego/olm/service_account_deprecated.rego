# METADATA
# title: ClusterExtension sets the deprecated field spec.serviceAccount
# description: |
#   OLM v1 gives up installing each extension as a ServiceAccount of its own. What the field still does depends on the
#   release:
#
#   * `required`: OLM acts as the account. No finding.
#   * `synthetic`: the field is optional and still honoured, by token. Without it OLM impersonates the user
#     `olm:clusterextension:<name>` in the group `olm:clusterextensions`, who may do only what is bound to them.
#   * `ignored`: the field has no effect. OLM acts as its own cluster-admin account and raises a warning.
#   * `removed`: the field is gone. Strict clients reject the manifest, others drop the field.
#
#   The order is: upgrade, remove the field, remove what only the field kept alive. Under `synthetic` the identity that
#   takes over is granted what the account held first.
#
#   A field that is gone from Git can stay on the live object, when another manager owns it or when the object has no
#   last-applied annotation. Look with
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
#     An account that OLM no longer acts as keeps its permissions. Often that is cluster-admin, and whoever may create
#     pods in its namespace can use it. And the limits that the account was meant to set are gone: under `ignored` every
#     extension is installed as cluster-admin, whatever the manifest says.
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   words: [serviceAccount]
#   reads: [ServiceAccount, rbac]
#   fix:
#     name: remove-service-account
#     kind: safe
#     description: Remove the field; where the target acts as the synthetic identity, grant that what the account held first.
package salint.rules.olm.service_account_deprecated

import data.salint.lib
import data.salint.lib.olm

report contains finding if {
	severity := severities[input.model]
	extension := salint.extension(input.resource)
	olm.named(extension)
	finding := lib.with_severity(lib.judged(extension.account.path, message(extension)), severity)
}

# A field that is required is not deprecated.
severities := {"synthetic": "warning", "ignored": "warning", "removed": "error"}

message(extension) := sprintf(
	concat(" ", [
		"%s is installed as %s. %s the field still works, by token, and is optional:",
		"without it OLM impersonates %s, who may do only what is bound to it or to Group %s.",
		"Bind to the user what the account holds, then remove the field.",
	]),
	[
		olm.called(extension), olm.account(extension), lib.sentence(lib.on_target),
		user(extension), olm.identities_group,
	],
) if {
	input.model == "synthetic"
}

message(extension) := sprintf(
	"%s names %s, which has no effect %s: OLM acts as its own cluster-admin account, and warns: %s Remove the field.",
	[olm.called(extension), olm.account(extension), lib.on_target, salint.deprecation(input.target.name, extension.name)],
) if {
	input.model == "ignored"
}

message(extension) := sprintf(
	concat(" ", [
		"%s sets %s, which %s no longer has: kubectl and server-side apply reject the manifest for its unknown field,",
		"other clients drop the field. OLM acts as its own cluster-admin account. Remove the field before the upgrade.",
	]),
	[olm.called(extension), olm.field(extension), lib.target],
) if {
	input.model == "removed"
}

# A prefix or suffix of a kustomization changes the user along with the extension.
user(extension) := sprintf("User %s", [olm.user(extension)]) if {
	extension.name != ""
	lib.as_written
} else := sprintf("User %s<its name as applied>", [olm.user_prefix])
