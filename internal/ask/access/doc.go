// Package access answers who may do what in the deployment units of a repository, in the words of `kubectl auth can-i`,
// and says why: the binding and the rule, or what is not known.
package access
