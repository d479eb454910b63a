// Package builtins lists the functions that salint adds to Rego.
package builtins
