// Package fixes lists the fixers that rules can request, with their arguments.
package fixes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
)

// Fixer is a fixer as a rule requests it.
type Fixer struct {
	Name string
	// Arguments are the names of its arguments, all of them required.
	Arguments []string
}

// table holds every fixer, in the order of names. A test holds that it has those of package fixers.
var table = []Fixer{
	{Name: "add-service-account"},
	{Name: "align-apply-order"},
	{Name: "bind-synthetic-identity"},
	{Name: "complete-subject"},
	{Name: "convert-layout"},
	{Name: "correct-account-subject"},
	{Name: "correct-subject"},
	{Name: "drop-account-alias"},
	{Name: "grant-bundle"},
	{Name: "grant-finalizers"},
	{Name: "project-token"},
	{Name: "prune-binding"},
	{Name: "prune-installer"},
	{Name: "remove-permissions"},
	{Name: "remove-service-account"},
	{Name: "rename-account-alias"},
	{Name: "replace-cluster-admin"},
	{Name: "set-token-expiry"},
	{Name: "unmount-token"},
}

// All returns all fixers, in the order of names.
func All() []Fixer { return slices.Clone(table) }

// Check returns an error if there is no fixer of a name, or if the arguments are not those that it takes. A nil list stands for arguments
// that are not known yet.
func Check(name string, arguments []string) error {
	i := slices.IndexFunc(table, func(f Fixer) bool { return f.Name == name })
	if i < 0 {
		return fmt.Errorf("there is no fixer %q%s; the fixers are %s", name, meant(name), list())
	}
	if arguments == nil {
		return nil
	}
	slices.Sort(arguments)
	if want := slices.Sorted(slices.Values(table[i].Arguments)); !slices.Equal(want, slices.Compact(arguments)) {
		return fmt.Errorf("the fixer %s takes %s, not %s", name, argumentsText(want), argumentsText(arguments))
	}
	return nil
}

func meant(name string) string {
	var names []string
	for _, f := range table {
		names = append(names, f.Name)
	}
	if n := nearest.Name(name, names); n != "" {
		return ": did you mean " + n + "?"
	}
	return ""
}

func list() string {
	var texts []string
	for _, f := range table {
		text := f.Name
		if len(f.Arguments) > 0 {
			text += " (" + strings.Join(f.Arguments, ", ") + ")"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

func argumentsText(names []string) string {
	if len(names) == 0 {
		return "no arguments"
	}
	return "the arguments " + strings.Join(names, ", ")
}
