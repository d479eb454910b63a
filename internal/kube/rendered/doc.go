// Package rendered describes objects that are built by kustomize, rendered from a chart, or generated from a bundle, with
// their origin.
package rendered
