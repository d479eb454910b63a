// Package prune decides what can be removed because nothing uses it: accounts of installers with their bindings, roles, and token
// Secrets, and bindings of synthetic identities. All accounts and roles of a run are decided together.
package prune
