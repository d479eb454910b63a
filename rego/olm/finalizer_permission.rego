# METADATA
# title: The installing identity may not update the finalizers that OLM's owner references need
# description: |
#   OLM makes the extension the owner of everything it installs, and has the owner references block its deletion. Where the
#   admission plug-in `OwnerReferencesPermissionEnforcement` is on, as on OpenShift, the API server takes such a reference
#   only from somebody who may `update` the owner's `finalizers`; with the gate `PreflightPermissions`
#   operator-controller asks for the same.
#
#   Who the owner is depends on release and runtime: the ClusterExtension under Helm, the ClusterExtensionRevision under
#   Boxcutter in v1.8, the ClusterObjectSet under Boxcutter in v1.9 and v1.10. Nothing is said about an identity whose
#   roles are not all in the repository, or that has no binding there at all; nor where the bundle of the extension is
#   known, for then `olm/insufficient-permissions` looks at all that is needed.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement
#     description: The admission plug-in
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: What the account of an extension must be allowed to do, step 3
# custom:
#   severity: note
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [ServiceAccount, rbac]
#   fix:
#     name: grant-finalizers
#     kind: unsafe
#     description: Add the rule to a role of the identity.
package salint.rules.olm.finalizer_permission

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	lib.identities_count
	not salint.bundle(input.resource)
	extension := salint.extension(input.resource)
	olm.name_known(extension)
	subject := olm.subjects_of(extension)[0]
	lib.as_written
	binding := first_binding(subject)
	effective := salint.effective_rules(subject)
	count(effective.unknown) + count(effective.partial) == 0
	needed := needed_rule(extension)
	not salint.covers(effective.cluster, needed)
	finding := lib.related(
		lib.judged(olm.identity_path(extension), message(extension, subject)),
		binding.ref, ["roleRef"], sprintf("%s is bound here", [rbac.subject_called(subject)]),
	)
}

# first_binding is a binding that was made for the identity. Without one, its grants are not in the repository.
first_binding(subject) := [binding |
	some binding in salint.bindings_of(subject)
	binding.via != "system:authenticated"
][0]

# The objects of Boxcutter have generated names, so that the permission cannot be limited to one of them.
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
	concat(" ", [
		"%s, as which OLM installs %s, may not update %s.",
		"Where the API server enforces permissions for owner references, as on OpenShift, or the gate PreflightPermissions",
		"is on, the installation is refused. Grant it the verb update on that resource.",
	]),
	[lib.sentence(rbac.subject_called(subject)), olm.called(extension), finalizers],
)
