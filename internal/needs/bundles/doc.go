// Package bundles computes what the bundles of a repository's extensions need. The bundle of an extension is the folder
// that the configuration or the command line sets for it; each is read once.
package bundles
