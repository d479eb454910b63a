package builtins

import (
	"slices"
	"sync"

	"github.com/salint/salint/rules/builtins/applications"
	"github.com/salint/salint/rules/builtins/bundles"
	"github.com/salint/salint/rules/builtins/extensions"
	"github.com/salint/salint/rules/builtins/lookup"
	"github.com/salint/salint/rules/builtins/permissions"
	"github.com/salint/salint/rules/builtins/pods"
	"github.com/salint/salint/rules/policy"
)

// All are the functions that salint adds to Rego.
var All = sync.OnceValue(func() []*policy.Builtin {
	all := slices.Concat(lookup.Builtins(), pods.Builtins(), extensions.Builtins(), permissions.Builtins(), bundles.Builtins(), applications.Builtins(), timeBuiltins())
	for _, b := range all {
		if may := acrossUnits[b.Name]; may != nil {
			b.Eval = across(may, b.Eval)
		}
	}
	return all
})
