// Package apiserver holds no code: its module pins what the programs are built from that `make conformance-apiserver`
// runs. It replaces Kubernetes' staging modules, as its own go.mod does, and so must be a module of its own.
package apiserver
