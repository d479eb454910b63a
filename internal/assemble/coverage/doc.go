// Package coverage says which files of a repository became no object, although a deployment unit reads them.
package coverage
