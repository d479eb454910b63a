// Package graph collects who is granted what in the deployment units of a repository: from extensions and the identities
// that OLM acts as, over bindings, to roles. Package picture draws the result.
package graph
