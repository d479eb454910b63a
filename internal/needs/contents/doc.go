// Package contents reads what a folder that the command line names installs: a bundle, a chart, a kustomization, or manifests.
package contents
