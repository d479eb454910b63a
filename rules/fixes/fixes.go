// Package fixes lists the fixers that rules can request, with their arguments.
package fixes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
)

// Fixer is a fixer as a rule requests it.
type Fixer struct {
	Name string
	// Arguments are the names of its arguments, all of them required.
	Arguments []string
	// Kinds are the kinds of its fix that a rule can request; nil for any.
	Kinds []string
	// Objects are the kinds of the objects that it can change, as Kind.group, or Workloads; nil if the fixer, or its arguments, decide that.
	Objects []string
}

// Workloads stands for all kinds that embed a pod.
const Workloads = "workloads"

var (
	extensions = []string{"ClusterExtension.olm.operatorframework.io"}
	layouts    = []string{"ClusterExtension.olm.operatorframework.io", "Extension.olm.operatorframework.io"}
	bindings   = []string{"ClusterRoleBinding.rbac.authorization.k8s.io", "RoleBinding.rbac.authorization.k8s.io"}
	accounts   = []string{"ServiceAccount"}
	tokens     = []string{"GrafanaServiceAccount.grafana.integreatly.org"}
	workloads  = []string{Workloads}
)

// The kinds of general fixes. A field can change what the cluster does, and of a label or annotation the author of the rule knows.
var safeOrUnsafe, unsafe = []string{"safe", "unsafe"}, []string{"unsafe"}

// table holds every fixer, in the order of names. A test holds that it has those of package fixers.
var table = []Fixer{
	{Name: "add-service-account", Objects: extensions},
	{Name: "align-apply-order"},
	{Name: "bind-synthetic-identity", Objects: extensions},
	{Name: "complete-subject", Objects: bindings},
	{Name: "convert-layout", Objects: layouts},
	{Name: "correct-account-subject", Objects: bindings},
	{Name: "correct-subject", Objects: bindings},
	{Name: "drop-account-alias", Objects: workloads},
	{Name: "grant-bundle", Objects: extensions},
	{Name: "grant-finalizers", Objects: extensions},
	{Name: "project-token"},
	{Name: "prune-binding", Objects: bindings},
	{Name: "prune-installer", Objects: accounts},
	{Name: "remove-annotation", Arguments: []string{"key"}, Kinds: safeOrUnsafe},
	{Name: "remove-field", Arguments: []string{"path"}, Kinds: unsafe},
	{Name: "remove-label", Arguments: []string{"key"}, Kinds: safeOrUnsafe},
	{Name: "remove-permissions", Objects: tokens},
	{Name: "remove-service-account", Objects: extensions},
	{Name: "rename-account-alias", Objects: workloads},
	{Name: "replace-cluster-admin"},
	{Name: "set-annotation", Arguments: []string{"key", "value"}, Kinds: safeOrUnsafe},
	{Name: "set-field", Arguments: []string{"path", "value"}, Kinds: unsafe},
	{Name: "set-label", Arguments: []string{"key", "value"}, Kinds: safeOrUnsafe},
	{Name: "set-token-expiry", Objects: tokens},
	{Name: "unmount-token", Objects: workloads},
}

// All returns all fixers, in the order of names.
func All() []Fixer { return slices.Clone(table) }

// Check returns an error if there is no fixer of a name, if it does not take the arguments, or if its fix cannot be of a kind. Nil arguments
// are not known yet.
func Check(name, kind string, arguments map[string]any) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if kinds := find(name).Kinds; kinds != nil && !slices.Contains(kinds, kind) {
		return fmt.Errorf("the kind of a fix with %s is %s, not %s", name, strings.Join(kinds, " or "), kind)
	}
	if arguments == nil {
		return nil
	}
	given := slices.Sorted(maps.Keys(arguments))
	if err := CheckArguments(name, given); err != nil {
		return err
	}
	for _, argument := range given {
		if problem := checkArgument(name, argument, arguments[argument]); problem != "" {
			return fmt.Errorf("the argument %s of %s must be %s", argument, name, problem)
		}
	}
	return nil
}

// CheckName returns an error if there is no fixer of a name.
func CheckName(name string) error {
	if find(name) == nil {
		return fmt.Errorf("there is no fixer %q%s; the fixers are %s", name, meant(name), list())
	}
	return nil
}

// CheckArguments returns an error if a fixer, which exists, does not take arguments of these names.
func CheckArguments(name string, given []string) error {
	given, want := slices.Sorted(slices.Values(given)), slices.Sorted(slices.Values(find(name).Arguments))
	if !slices.Equal(want, given) {
		return fmt.Errorf("the fixer %s takes %s, not %s", name, argumentsText(want), argumentsText(given))
	}
	return nil
}

// find returns the fixer of a name; nil if there is none.
func find(name string) *Fixer {
	i := slices.IndexFunc(table, func(f Fixer) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &table[i]
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
	if len(names) == 1 {
		return "the argument " + names[0]
	}
	return "the arguments " + strings.Join(names, ", ")
}
