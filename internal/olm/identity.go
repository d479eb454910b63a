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

// Deprecation is the warning that the deprecation proposal asks operator-controller to log for an extension that sets
// the field.
func Deprecation(extension string) string {
	return fmt.Sprintf("[DEPRECATION] 'spec.serviceAccount' is specified in ClusterExtension '%s', "+
		"but is ignored and will be removed in a future release.", extension)
}
