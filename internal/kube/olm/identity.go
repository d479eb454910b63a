package olm

import "fmt"

const (
	// Group is the group of the synthetic identities of all extensions.
	Group = "olm:clusterextensions"
	// Placeholder is the account name that represents the synthetic identity under the gate SyntheticPermissions of
	// operator-controller v1.3 to v1.10. From v1.9 on, a ServiceAccount of that name must exist anyway.
	Placeholder = "olm.synthetic-user"

	userPrefix = "olm:clusterextension:"
)

// User is the synthetic user of an extension, by the extension's name as applied. It contains no namespace, because
// extensions are cluster-scoped.
func User(extension string) string { return userPrefix + extension }

// Groups are the groups of a synthetic user: the group of all extensions, and the one that the API server adds to every
// impersonated user.
func Groups() []string { return []string{Group, "system:authenticated"} }

// Deprecation is the warning about an extension that sets the field although the target, given by name, ignores it. The
// proposal for OpenShift requires a specific sentence in operator-controller's log. v1.11.0 has another one, in its
// admission policy (helm/olmv1/templates/validatingadmissionpolicy-clusterextension-serviceaccount-deprecated.yml) and its
// log; the first sentence of that is returned here.
func Deprecation(target, extension string) string {
	if release, ok := parseRelease(target); !ok || !release.proposed {
		return "spec.serviceAccount is deprecated, ignored, and will be removed in a future release."
	}
	return fmt.Sprintf("[DEPRECATION] 'spec.serviceAccount' is specified in ClusterExtension '%s', "+
		"but is ignored and will be removed in a future release.", extension)
}
