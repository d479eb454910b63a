// Package sources describes the sources of applications of Argo CD and Flux: which files of which repository they take, which of these files
// are applied, and what is changed in the kustomizations and charts that are built of them.
package sources
