// Package safetext makes text from manifests safe to print: it escapes everything that a terminal or the runner of a
// workflow would execute, hide or draw in another place.
package safetext
