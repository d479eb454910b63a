// Package restmap knows which resource a kind is served as, and whether its objects live in namespaces, without asking
// a cluster.
package restmap
