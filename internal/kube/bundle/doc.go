// Package bundle renders the objects that operator-controller would apply for an operator bundle, without a cluster and
// without a registry. It reads registry+v1 folders, and bundles of file-based catalogs that contain their manifests.
package bundle
