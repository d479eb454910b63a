// Package argo checks the example for Argo Workflows with the types of Argo. It is a module, because these need many others.
package argo
