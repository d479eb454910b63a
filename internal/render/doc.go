// Package render turns kustomize folders, Helm charts and plain folders into the objects that would be applied.
//
// It uses nothing outside the given tree: no network, no cluster, no program. The libraries of kustomize and Helm build
// overlays and render charts in a child process (package process) with limits on time and memory, because the input can be
// hostile. Programs that use this package call process.Main first.
package render
