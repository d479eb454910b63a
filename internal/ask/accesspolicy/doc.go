// Package accesspolicy writes the ValidatingAdmissionPolicy that limits non-administrators who can write ClusterExtensions
// to what the repository contains: its packages, from its catalogs, in its namespaces.
package accesspolicy
