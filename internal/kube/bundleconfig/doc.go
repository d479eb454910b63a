// Package bundleconfig checks spec.config of an extension, as the API server and the operator-controller of a release do for a registry+v1
// bundle.
package bundleconfig
