// Package applications builds deployment units of what Argo CD and Flux apply from the repository, and records which
// application applies which unit.
package applications
