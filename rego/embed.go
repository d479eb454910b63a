// Package rego holds the policies: one folder per family, one rule per file, and lib for what they share.
package rego

import "embed"

// Policies are the policies as they stand in the repository, their tests included.
//
//go:embed */*.rego
var Policies embed.FS
