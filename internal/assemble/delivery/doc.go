// Package delivery determines how the order and limits of Argo CD and Flux affect the objects that they apply: which grants
// come too late, which objects can be deleted, and which cannot be created.
package delivery
