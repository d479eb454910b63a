# METADATA
# title: The account of operator-controller lacks what OLM needs
# description: |
#   operator-controller has a ServiceAccount. What it needs depends on how the release treats `spec.serviceAccount`:
#
#   * `required`: it requests tokens of the accounts that extensions name (`create` on `serviceaccounts/token`).
#   * `synthetic`: the same, and it impersonates the users of extensions without an account (`impersonate` on `users` and `groups`).
#   * `ignored` and `removed`: it installs everything as itself. The release binds it to cluster-admin. A proposal for OpenShift says:
#     "If you relied on impersonation, make sure the controller's ServiceAccount has the necessary permissions."
#
#   This rule checks repositories that install OLM: a deployment unit has the account (`operator-controller-controller-manager` in
#   `olmv1-system`, or in `openshift-operator-controller`, or what the Deployment of operator-controller names) and its bindings, and no other unit makes it a cluster-admin. If the bundle of
#   an extension is known (`bundles:` in the configuration, or `--bundle`), its needs decide. Otherwise an account that can create neither
#   Deployments nor CustomResourceDefinitions is an error, and one that can create some of them a note, because what it needs is unknown.
#   An account with roles that are not in the repository, or that a script can bind, is not
#   reported, nor is a target that treats the field differently from the release that the unit installs, which brings its own bindings.
# related_resources:
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.11.0/helm/olmv1/templates/rbac/clusterrolebinding-operator-controller-manager-rolebinding.yml
#     description: The binding of v1.11
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/helm/olmv1/templates/rbac/clusterrole-operator-controller-manager-role.yml
#     description: The role of v1.10
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [ServiceAccount, rbac]
#   evaluate_if: [controller-limited]
#   fix: none
package salint.rules.olm.controller_permissions

import data.salint.helpers.bundles
import data.salint.helpers.olm
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	gap := salint.controller_gap(input.resource)
	extension := salint.extension(input.resource)
	finding := graded(lib.case(placed(gap, message(gap, extension)), parts(gap, extension)), gap)
}

# placed puts the finding at the binding, or at the extension if another unit has the binding.
placed(gap, text) := lib.at(lib.finding(["subjects", gap.subject_index], text), gap.ref) if {
	gap.here
} else := lib.related(lib.finding(["metadata", "name"], text), gap.ref, ["subjects", gap.subject_index], "OLM's account is bound here")

graded(finding, gap) := lib.with_severity(finding, "note") if {
	gap.lack == "unproven"
} else := finding

# parts are the same for all extensions if the finding is about the account alone.
parts(gap, _) := [gap.lack] if {
	about_account(gap)
} else := array.concat([gap.lack, {"ref": salint.ref(input.resource), "path": ["metadata", "name"]}], bundles.named(gap.missing))

about_account(gap) if gap.lack in {"install", "unproven"}

message(gap, _) := sprintf(
	"OLM acts as %s, which can create neither Deployments nor CustomResourceDefinitions. No extension is installed. Bind it to cluster-admin, as the release does.",
	[called(gap)],
) if {
	gap.lack == "install"
}

message(gap, _) := sprintf(
	"OLM acts as %s, which is not a cluster-admin. Whether this is enough for the extensions is unknown. Name their bundles under `bundles:`, or bind it to cluster-admin.",
	[called(gap)],
) if {
	gap.lack == "unproven"
}

message(gap, extension) := sprintf(
	"OLM acts as %s, which lacks permissions that the bundle of %s needs. The installation fails. Grant them (`salint preflight` lists the reasons): %s.",
	[called(gap), olm.called(extension), bundles.rules_text(gap.missing)],
) if {
	gap.lack == "bundle"
}

message(gap, extension) := sprintf(
	"OLM impersonates User %s to install %s, and %s lacks %s. The installation fails. Grant it.",
	[olm.user(extension), olm.called(extension), called(gap), bundles.rules_text(gap.missing)],
) if {
	gap.lack == "impersonation"
}

message(gap, extension) := sprintf(
	"OLM requests tokens of %s to install %s, and %s lacks %s. The installation fails. Grant it.",
	[olm.account(extension), olm.called(extension), called(gap), bundles.rules_text(gap.missing)],
) if {
	gap.lack == "tokens"
}

called(gap) := rbac.subject_called(gap.account)
