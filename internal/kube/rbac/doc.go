// Package rbac says who may do what: which bindings reach somebody, what the roles they grant amount to, aggregated and
// built-in ones included, and whether one set of rules covers another.
//
// It answers for the objects of one unit, as the authorizer of the API server would if they were all applied. The rules
// of the inventory about nearest namesakes and unknown namespaces hold here too. What cannot be known from the repository is
// part of every answer.
package rbac
