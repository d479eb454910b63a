// Package applying determines how Argo CD and Flux apply the objects of applications: in which order, which fields and removed objects stay
// on the cluster, and what can be deleted and created again.
package applying
