// Package rendered says what an object is that was not written as it stands: built by kustomize, rendered from a chart or
// made from a bundle; and where it came from.
package rendered
