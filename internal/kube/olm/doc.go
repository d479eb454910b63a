// Package olm describes Operator Lifecycle Manager v1: how each release treats spec.serviceAccount, the layouts of a
// ClusterExtension, and the identity that acts for an extension.
package olm
