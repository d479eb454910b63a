// Package rules knows every rule there is, compiles the policies that a run needs and evaluates them on objects.
package rules
