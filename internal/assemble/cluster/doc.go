// Package cluster says which deployment units one API server gets. Names of roles, accounts, and namespaces resolve in a cluster, which
// several units can make.
package cluster
