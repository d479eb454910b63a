// Package needs groups the packages for what installing a bundle requires: permissions, and which of them are missing
// (preflight), what a new version requires in addition (bundlediff), the bundles of a repository's extensions (bundles),
// and the permissions in the error text of a failed installation (deniedtext). Rules and fixers use these packages.
package needs
