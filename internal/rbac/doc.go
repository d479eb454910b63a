// Package rbac says who may do what: which bindings reach a subject, which roles they grant it, and whether one set of
// rules covers another.
//
// It answers for the objects of one unit, as the authorizer of the API server would if they were all applied. The rules
// of the inventory about nearest namesakes and unknown namespaces hold here too.
package rbac
