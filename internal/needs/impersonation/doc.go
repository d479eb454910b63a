// Package impersonation computes which permissions an account lacks as which Argo CD or Flux applies objects of the repository.
package impersonation
