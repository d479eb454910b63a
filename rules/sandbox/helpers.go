package sandbox

import (
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/metadata"
)

var helpersPackage = ast.MustParseRef(metadata.HelpersPackage)

// instead names what policies of users can call, by the internal package that they refer to.
var instead = map[string]string{
	"olm":          "salint.extension, salint.identity, and input.target",
	"pods":         "salint.pods and salint.admission",
	"rbac":         "salint.bindings_of, salint.effective_rules, and salint.can_i",
	"accounts":     "salint.lookup, salint.mentions, and salint.bringers",
	"bundles":      "salint.bundle and salint.preflight",
	"secrets":      "salint.secrets_like and salint.secret_users",
	"tokens":       "salint.account_tokens",
	"token":        "salint.account_tokens",
	"controlplane": "salint.runtime",
	"target":       "input.target and input.model",
	"file":         "the file of every finding, and input.unit.root",
	"called":       "the message alone: each finding shows its object",
	"titled":       "the message alone: each finding shows its object",
}

// checkHelpers returns an error for a policy of a user that refers to a helper of the built-in policies: such a helper can change in each
// version.
func checkHelpers(module *ast.Module) error {
	var failed error
	check := func(t *ast.Term) {
		ref, is := t.Value.(ast.Ref)
		if failed != nil || !is || !ref.HasPrefix(helpersPackage) {
			return
		}
		use := "the functions of data.salint.lib and the built-in functions salint.…"
		if len(ref) > len(helpersPackage) {
			name, _ := ref[len(helpersPackage)].Value.(ast.String)
			if known := instead[string(name)]; known != "" {
				use = known
			}
		}
		at := t.Location
		if at == nil {
			at = ref[0].Location
		}
		failed = fmt.Errorf("%s:%d: %s is internal to salint and can change in each version: use %s",
			at.File, at.Row, strings.TrimPrefix(ref.ConstantPrefix().String(), "data."), use)
	}
	for _, i := range module.Imports {
		check(i.Path)
	}
	ast.WalkTerms(module, func(t *ast.Term) bool {
		check(t)
		return false
	})
	return failed
}
