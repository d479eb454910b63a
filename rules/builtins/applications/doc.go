// Package applications holds the built-in functions about the objects that Argo CD and Flux apply, and the accounts as which they do.
package applications
