// Package assemble groups what turns the files of a repository into deployment units: kustomizations (overlay), Helm charts
// (charts), what Argo CD and Flux apply (gitops, applications), and in which order and with which limits they apply it
// (delivery). The loader combines them for every command.
package assemble
