// Package kube answers questions about RBAC manifests with Kubernetes' own code: the validation of its API server, the
// rules that its controller aggregates, the decisions of its authorizer, and its check against escalation.
package kube
