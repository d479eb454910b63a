// Package gitops reads what the objects of Argo CD and Flux in a repository say about what is applied from where: which
// folders, charts and values, with which changes on the way, in which order, and by whom.
//
// It looks at objects, and through a small interface at the names of files, and at the few files that generators of Argo
// CD take parameters from. What is somewhere else, needs a cluster, or is filled in later is part of the answer.
//
// The behaviour is that of Argo CD 3.5 (pkg/apis/application/v1alpha1, reposerver/repository, applicationset, gitops-engine)
// and Flux 2.9 (kustomize-controller, helm-controller, fluxcd/pkg/kustomize).
package gitops
