// Package repo finds and reads the manifests of a repository, asks git which files changed, and writes edited files back,
// all or none.
package repo
