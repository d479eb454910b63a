// Package restmap maps kinds to resources, and reports whether they are namespaced, without a cluster.
package restmap
