// Package apiserver contains no code: its module pins the sources of the programs that `make conformance-apiserver`
// runs. It replaces Kubernetes' staging modules, as Kubernetes' own go.mod does, and so must be a separate module.
package apiserver
