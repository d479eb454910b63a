// Package access answers who can do what in the deployment units of a repository, in the words of `kubectl auth can-i`,
// with the reason: the binding and the rule, or what is unknown.
package access
