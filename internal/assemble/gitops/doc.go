// Package gitops reads what the objects of Argo CD and Flux in a repository say about what is applied from where: which
// folders, charts and values, with which changes on the way, in which order, and by whom.
//
// It looks at objects, and through a small interface at the names of files, and at the few files that generators of Argo
// CD take parameters from. What is somewhere else, needs a cluster, or is filled in later is part of the answer.
//
// The behaviour is that of the sources of August 2026: Argo CD past v3.5.1 (pkg/apis/application/v1alpha1, applicationset,
// reposerver/repository, gitops-engine), kustomize-controller past v1.9, helm-controller past v1.6, and fluxcd/pkg.
package gitops
