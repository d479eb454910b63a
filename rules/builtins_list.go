package rules

import (
	"slices"
	"sync"

	"github.com/salint/salint/rules/policy"
)

// Builtins are the functions that salint adds to Rego.
var Builtins = sync.OnceValue(func() []*policy.Builtin {
	all := slices.Concat(lookupBuiltins(), podBuiltins(), extensionBuiltins(), permissionsBuiltins(), bundleBuiltins(), deliveryBuiltins(), timeBuiltins())
	for _, b := range all {
		if may := acrossUnits[b.Name]; may != nil {
			b.Eval = across(may, b.Eval)
		}
	}
	return all
})
