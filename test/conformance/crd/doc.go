// Package crd compares rules about the fields of a custom resource with its CRD, run by the code with which the API server
// processes objects: pruning, defaults, the OpenAPI schema, the keys of lists, and the rules in CEL.
package crd
