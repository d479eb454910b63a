// Package policy wraps OPA: it parses, checks, compiles, and tests Rego with salint's built-in functions declared, and with
// all functions switched off that give a policy access to anything outside the program.
package policy
