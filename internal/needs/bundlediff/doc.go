// Package bundlediff compares what two versions of an operator require: its own permissions, those of its installer,
// webhooks, and cluster-scoped objects.
package bundlediff
