// Package assemble groups the packages that turn the files of a repository into deployment units: kustomizations (overlay),
// Helm charts (charts), what Argo CD and Flux apply (gitops, applications), and their order and limits (delivery). The
// loader combines them for every command.
package assemble
