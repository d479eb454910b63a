package rules

import (
	"sync"

	"github.com/salint/salint/rules/policy"
)

// builtins are the functions that salint adds to Rego, in the order of the documentation.
var builtins = sync.OnceValue(func() []*policy.Builtin {
	all := concat(objectBuiltins(), nearestBuiltins(), podBuiltins(), extensionBuiltins(), rbacBuiltins(), permissionBuiltins(), bundleBuiltins(),
		deliveryBuiltins(), admissionBuiltins(), timeBuiltins())
	for _, b := range all {
		if may := acrossUnits[b.Name]; may != nil {
			b.Eval = across(may, b.Eval)
		}
	}
	return all
})

func concat(lists ...[]*policy.Builtin) (all []*policy.Builtin) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// Function describes a built-in function for the documentation.
type Function struct {
	// Signature is name and arguments, as in salint.find(query).
	Signature   string
	Description string
}

// Functions returns the functions that policies can call in addition to OPA's own.
func Functions() []Function {
	list := make([]Function, 0, len(builtins()))
	for _, b := range builtins() {
		list = append(list, Function{Signature: b.Signature(), Description: b.Description})
	}
	return list
}
