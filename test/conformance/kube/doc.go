// Package kube answers questions about RBAC manifests with Kubernetes' own code: what its API server takes, the rules
// its controller aggregates, what its authorizer allows, and its check against escalation.
package kube
