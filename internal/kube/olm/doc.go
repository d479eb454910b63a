// Package olm knows Operator Lifecycle Manager v1: which release treats spec.serviceAccount how, what the layouts of a
// ClusterExtension look like, and which identity acts for an extension.
package olm
