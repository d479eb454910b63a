// Package kube groups the packages that interpret objects as a cluster does: the objects of a deployment unit and their
// references (objects), effective permissions (rbac) and their changes (permission), OLM's releases, layouts, and
// identities (olm), registry+v1 bundles (bundle), admission policies (admission), and the resource that serves a kind
// (restmap).
//
// Nothing here reads files or starts programs.
package kube
