// Package kube groups what objects mean to a cluster: the objects of a deployment unit and what refers to what (objects),
// effective permissions (rbac) and how they change (permission), OLM's releases, layouts and identities (olm), registry+v1
// bundles (bundle), admission policies (admission), and which resource serves a kind (restmap).
//
// Nothing here reads files or starts programs.
package kube
