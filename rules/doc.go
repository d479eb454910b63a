// Package rules is the registry of all rules: the built-in ones and those of users. It selects rules, and creates the evaluator of the
// selected ones.
package rules

//go:generate go run ./gen
