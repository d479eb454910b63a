// Package graph draws who is granted what: from the extensions and the identities that OLM acts as, over bindings, to
// roles.
package graph
