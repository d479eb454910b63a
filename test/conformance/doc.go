// Package conformance compares the answers of salint about permissions with those of Kubernetes, whose own code runs in
// the same process: its RBAC authorizer, its check against escalation, its aggregation controller, its built-in roles.
//
// The package server beside it puts the same questions to a real API server. The README says how to run both.
package conformance
