// Package content finds out what a folder holds that an extension installs (a bundle, a chart, an overlay, plain
// manifests) and turns it into the objects that would be applied.
package content
