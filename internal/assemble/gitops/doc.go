// Package gitops reads the objects of Argo CD and Flux, and determines which folders, charts and values they apply, with
// which changes, and with which identity. Package applying determines how and in which order they apply them.
//
// It reads objects, the names of files, and the few files from which generators of Argo CD take parameters. Sources outside
// the repository, and values that are known only in a cluster or later, are part of the result.
//
// The behavior is that of the sources of August 2026: Argo CD after v3.5.1 (pkg/apis/application/v1alpha1, applicationset,
// reposerver/repository, gitops-engine), kustomize-controller after v1.9, helm-controller after v1.6, and fluxcd/pkg.
package gitops
