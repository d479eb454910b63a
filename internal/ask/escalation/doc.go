// Package escalation finds who can become cluster-admin, or another identity, and by which steps: with the permissions that
// bindings grant, and with those of the identities that these permissions open.
//
// It builds a graph for each deployment unit. Its nodes are identities, and places such as "every account of a namespace" that
// many permissions lead to, so that the graph has one edge for each permission and not one for each pair of identities. A search
// backward from the goal finds the shortest chain of every identity.
//
// The steps are those of "RBAC good practices" in the documentation of Kubernetes
// (https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks), and what OLM does for writers of
// extensions. In Grafana, as a separate goal, they are those of grafana-operator. A step counts if RBAC allows it; see Assumptions for what is not considered.
package escalation
