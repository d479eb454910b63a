// Package needs groups what installing a bundle requires: the permissions it needs and those that are missing (preflight),
// what a new version requires in addition (bundlediff), the bundles of a repository's extensions (bundles), and the
// permissions named in the error of a failed installation (deniedtext). Rules and fixers ask these packages.
package needs
