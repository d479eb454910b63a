// Package graph collects who is granted what in the deployment units of a repository: extensions, the identities that OLM
// uses, bindings, and roles. Package picture draws the result.
package graph
