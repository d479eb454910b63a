// Package rules loads all rules, compiles the policies that a run needs, and evaluates them on objects.
package rules
