// Package bundle turns an operator bundle into the objects that operator-controller would apply for it, without a cluster
// and without a registry: registry+v1 folders, and bundles of file-based catalogs that hold their manifests.
package bundle
