// Package policy is the border to OPA: it parses, checks, compiles and tests Rego with salint's built-in functions
// declared, and with everything switched off that would let a policy reach out of the program.
package policy
