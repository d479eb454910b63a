// Package delivery answers what Argo CD and Flux mean for the objects that they apply: which grants come too late, what may
// be deleted on the way, and what may not be created.
package delivery
