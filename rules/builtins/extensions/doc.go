// Package extensions holds the built-in functions about ClusterExtensions and the releases of OLM that install them.
package extensions
