// Package accesspolicy writes the ValidatingAdmissionPolicy that limits those who may write ClusterExtensions, and are no
// administrators, to what a repository holds: its packages, from its catalogs, in its namespaces.
package accesspolicy
