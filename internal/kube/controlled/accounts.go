package controlled

import (
	"slices"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
)

// Accounts returns the accounts as which the controller of an object runs pods, or acts, as the object names them: for everything, and for
// single steps. It returns none for other kinds than those of danger.AccountNamers.
func Accounts(o *objects.Object) []objects.Account {
	var names []string
	fallback, isNamer := "", false
	for _, n := range danger.AccountNamers() {
		if n.Group != o.Group || n.Kind != o.Kind {
			continue
		}
		if !isNamer {
			isNamer, fallback = true, n.Default
		}
		if name := o.Node.Lookup(n.Path).String(); name != "" {
			names, fallback = append(names, name), ""
		}
	}
	if !isNamer {
		return nil
	}
	names = append(names, accountFields(o.JSON()["spec"])...)
	if fallback != "" {
		names = append(names, fallback)
	}
	slices.Sort(names)
	var accounts []objects.Account
	for _, name := range slices.Compact(names) {
		accounts = append(accounts, objects.Account{Namespace: o.Namespace, Name: name})
	}
	return accounts
}

// accountKeys are the fields that name accounts: taskServiceAccountName in v1beta1 of Tekton, and moverServiceAccount in VolSync.
var accountKeys = []string{"serviceAccountName", "taskServiceAccountName", "moverServiceAccount"}

// accountFields returns the values of the fields that name accounts anywhere inside a value.
func accountFields(value any) []string {
	var names []string
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			names = append(names, accountFields(item)...)
		}
	case map[string]any:
		for key, item := range v {
			if name, _ := item.(string); slices.Contains(accountKeys, key) && name != "" {
				names = append(names, name)
			}
			names = append(names, accountFields(item)...)
		}
	}
	return names
}
