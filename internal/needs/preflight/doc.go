// Package preflight says what an identity must be allowed to do so that OLM can install something as it, and which of
// that the objects of a repository do not grant.
//
// There are six checks over the objects that would be applied. The list is the one of operator-controller's
// pre-authorizer (internal/operator-controller/authorization/rbac.go, v1.3 to v1.10); whether something is held is
// answered as the API server answers it, which knows the groups of the identity and takes escalate in a namespace.
package preflight
