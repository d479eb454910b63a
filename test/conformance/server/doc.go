// Package server runs a real kube-apiserver with etcd on loopback, so that tests can ask it what Kubernetes says.
//
// It is made for other suites too: [Start] gives a server whose clients, kubectl and authorizer can be used as any
// identity, and [Binaries] reports whether the programs are there.
package server
