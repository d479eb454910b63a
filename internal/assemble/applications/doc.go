// Package applications makes units of what Argo CD and Flux apply out of the repository, and remembers which of their
// objects applies which unit.
package applications
