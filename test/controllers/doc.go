// Package controllers compares what `salint build` prints with what Flux and Argo CD apply. The controllers' own packages run in the
// same process; Helm and kustomize are built from the versions that Argo CD ships. The README says how to run it.
package controllers
