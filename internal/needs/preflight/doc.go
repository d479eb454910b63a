// Package preflight computes which permissions an identity needs so that OLM can install a content as it, and which of them
// the objects of a repository do not grant.
//
// It runs six checks on the objects that would be applied. The list is that of operator-controller's pre-authorizer
// (internal/operator-controller/authorization/rbac.go, v1.3 to v1.10). Unlike the pre-authorizer, it evaluates permissions
// as the API server does, with the groups of the identity, and with escalate in a namespace.
package preflight
