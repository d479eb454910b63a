package olm

import "fmt"

const (
	// Group is the group of the synthetic identities of all extensions.
	Group = "olm:clusterextensions"
	// Placeholder is the account name that, with the gate SyntheticPermissions of operator-controller v1.3 to v1.10,
	// stands for the synthetic identity. From v1.9 a ServiceAccount of that name must exist nevertheless.
	Placeholder = "olm.synthetic-user"

	userPrefix = "olm:clusterextension:"
)

// User is the synthetic user of an extension, by the extension's name as applied. It comes in no namespace, for
// extensions are cluster-scoped.
func User(extension string) string { return userPrefix + extension }

// Groups are the groups a synthetic user is in: its own, and the one that the API server adds to whoever is
// impersonated.
func Groups() []string { return []string{Group, "system:authenticated"} }

// Deprecation is the warning about an extension that sets the field where it is ignored, on a target by its name. The
// proposal for OpenShift asks operator-controller to log a sentence of its own; v1.11.0 has another one, in its admission
// policy (helm/olmv1/templates/validatingadmissionpolicy-clusterextension-serviceaccount-deprecated.yml) and its log, of
// which this is the first sentence.
func Deprecation(target, extension string) string {
	if release, ok := parseRelease(target); !ok || !release.proposed {
		return "spec.serviceAccount is deprecated, ignored, and will be removed in a future release."
	}
	return fmt.Sprintf("[DEPRECATION] 'spec.serviceAccount' is specified in ClusterExtension '%s', "+
		"but is ignored and will be removed in a future release.", extension)
}
