// Package rego holds the policies: one folder per family, one rule per file with its tests and examples
// beside it, and lib for what they share.
package rego

import "embed"

// Policies are the policies as they stand in the repository, their tests and examples included.
//
//go:embed */*.rego */*.txtar
var Policies embed.FS
