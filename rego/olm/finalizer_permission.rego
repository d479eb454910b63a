# METADATA
# title: The identity that installs an extension cannot update the finalizers that OLM's owner references need
# description: |
#   OLM makes the extension the owner of everything that it installs, and its owner references block the deletion of the
#   owner. With the admission plug-in `OwnerReferencesPermissionEnforcement`, which is on in OpenShift, the API server
#   accepts such a reference only from an identity that can `update` the `finalizers` of the owner. With the gate
#   `PreflightPermissions`, operator-controller requires the same.
#
#   The owner depends on release and runtime: the ClusterExtension with Helm, the ClusterExtensionRevision with
#   Boxcutter in v1.8, the ClusterObjectSet with Boxcutter in v1.9 and v1.10. An identity is not reported if some of its
#   roles are missing in the repository, or if it has no binding there; nor if the bundle of the extension is known,
#   because then `olm/insufficient-permissions` checks all permissions. On OpenShift, the finding is a warning.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement
#     description: The admission plug-in
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: The permissions that the account of an extension needs, step 3
# custom:
#   severity: note
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [ServiceAccount, rbac]
#   evaluate_if: [finalizers-not-held]
#   fix:
#     name: grant-finalizers
#     kind: unsafe
#     description: Add the rule to a role of the identity.
package salint.rules.olm.finalizer_permission

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	helpers.identities_count
	not salint.bundle(input.resource)
	extension := salint.extension(input.resource)
	olm.name_known(extension)
	subject := olm.subjects_of(extension)[0]
	helpers.whole
	binding := first_binding(subject)
	effective := salint.effective_rules(subject)
	count(effective.unknown) + count(effective.partial) == 0
	needed := needed_rule(extension)
	not salint.covers(effective.cluster, needed)
	finding := lib.related(
		lib.with_severity(lib.case(helpers.judged(olm.identity_path(extension), message(extension, subject)), finalizers), severity),
		binding.ref, ["roleRef"], sprintf("%s is bound here", [rbac.subject_called(subject)]),
	)
}

# Elsewhere, the installation fails only with a gate that most clusters do not turn on.
default severity := "note"

severity := "warning" if on_openshift

on_openshift if startswith(input.target.name, "ocp-")

# first_binding returns the first binding made for the identity. Without one, its grants are not in the repository.
first_binding(subject) := [binding |
	some binding in salint.bindings_of(subject)
	binding.via != "system:authenticated"
][0]

# needed_rule returns the permission that OLM needs. The objects of Boxcutter have generated names, so it cannot be
# limited to one.
needed_rule(extension) := {
	"apiGroups": [olm.group],
	"resources": [finalizers],
	"resourceNames": [extension.name],
	"verbs": ["update"],
} if {
	olm.runtime.finalizers == "clusterextensions"
} else := {"apiGroups": [olm.group], "resources": [finalizers], "verbs": ["update"]} if {
	olm.runtime.finalizers != ""
}

finalizers := sprintf("%s/finalizers", [olm.runtime.finalizers])

message(extension, subject) := sprintf(
	"%s cannot update %s. %s the installation fails. Grant the verb update on this resource to the identity.",
	[helpers.sentence(olm.installing(subject, olm.called(extension))), finalizers, where],
)

where := "On OpenShift," if {
	on_openshift
} else := "On OpenShift, or with PreflightPermissions,"
