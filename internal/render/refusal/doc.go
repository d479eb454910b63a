// Package refusal finds why kustomize refuses to build a folder, from the kustomization files and the files that they name, without
// building it.
package refusal
