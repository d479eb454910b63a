// Package rbac computes who is allowed what: which bindings apply to an identity, the rules of the roles that they grant,
// including aggregated and built-in ones. Package policyrules compares sets of rules.
//
// It answers for the objects of one unit, as the authorizer of the API server would if all of them were applied. The rules
// of package objects about nearest namesakes and unknown namespaces apply here too. Every answer includes what cannot be
// known from the repository.
package rbac
