// Package bundlediff says what an operator asks for in one version and not in another: permissions of its own, those that
// installing it takes, webhooks, and objects of the cluster.
package bundlediff
