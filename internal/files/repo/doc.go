// Package repo finds the manifests of a repository, reads them, asks git what has changed, and writes the edited ones
// back, all or none.
package repo
