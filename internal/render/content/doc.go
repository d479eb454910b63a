// Package content detects what kind of content an extension installs from a folder (a bundle, a chart, an overlay, or plain
// manifests), and returns the objects that would be applied.
package content
