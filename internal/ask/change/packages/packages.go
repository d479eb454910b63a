// Package packages compares what OLM is told to install in two states: which package an extension has, from which catalogs, and what a catalog serves.
package packages

import (
	"reflect"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// Change is a difference of an object of OLM, as it follows the name of the object.
type Change struct {
	Text string
	// IsUpdate is true if only another version of the same package can be installed, which is an ordinary update.
	IsUpdate bool
}

// field is a field that decides what is installed.
type field struct {
	path     []string
	text     string
	isUpdate bool
	// unset is what the API server sets.
	unset string
}

// Fields of a ClusterExtension and of a ClusterCatalog that decide what is installed.
//
// Source: https://github.com/operator-framework/operator-controller/tree/v1.11.0/api/v1.
var (
	extensionFields = []field{
		{[]string{"spec", "source", "sourceType"}, "installs from another kind of source", false, ""},
		{[]string{"spec", "source", "catalog", "packageName"}, "installs another package", false, ""},
		{[]string{"spec", "source", "catalog", "selector"}, "takes its package from other catalogs", false, ""},
		{[]string{"spec", "source", "catalog", "upgradeConstraintPolicy"}, "has another upgradeConstraintPolicy, which decides from which version to which one OLM upgrades", false, "CatalogProvided"},
		{[]string{"spec", "source", "catalog", "version"}, "installs another version of its package", true, ""},
		{[]string{"spec", "source", "catalog", "channels"}, "takes versions of its package from other channels", true, ""},
	}
	catalogFields = []field{
		{[]string{"spec", "source"}, "serves another image, from which extensions are installed", false, ""},
		{[]string{"spec", "priority"}, "has another priority, by which extensions choose it", false, ""},
		{[]string{"metadata", "labels"}, "has other labels, by which extensions choose it", false, ""},
	}
)

// Compare returns how an object of OLM differs; then is nil for a new one. A new extension is compared by its identity elsewhere.
func Compare(then, now *objects.Object) []Change {
	if now.Group != olm.APIGroup {
		return nil
	}
	switch now.Kind {
	case olm.ClusterExtensionKind:
		return compare(then, now, extensionFields)
	case "ClusterCatalog":
		return ofCatalog(then, now)
	}
	return nil
}

// ofCatalog compares a catalog. OLM leaves out one that is unavailable, so that what it has is new when it becomes available.
//
// Source: operator-controller v1.10.0, internal/operator-controller/resolve/catalog.go.
func ofCatalog(then, now *objects.Object) []Change {
	switch {
	case isUnavailable(now):
		return nil
	case then == nil:
		return []Change{{Text: "is new: extensions can be installed from it"}}
	case isUnavailable(then):
		return []Change{{Text: "is available now: extensions can be installed from it"}}
	}
	return compare(then, now, catalogFields)
}

func isUnavailable(catalog *objects.Object) bool {
	return value(catalog, []string{"spec", "availabilityMode"}) == "Unavailable"
}

func compare(then, now *objects.Object, fields []field) []Change {
	if then == nil {
		return nil
	}
	var changes []Change
	for _, f := range fields {
		if was, is := f.of(then), f.of(now); !reflect.DeepEqual(was, is) {
			changes = append(changes, Change{describe(f, was, is), f.isUpdate})
		}
	}
	return changes
}

// of returns the value of a field, or what the API server sets if there is none.
func (f field) of(o *objects.Object) any {
	set := value(o, f.path)
	if set == nil && f.unset != "" {
		return f.unset
	}
	return set
}

// describe adds the two values to the text, if both are names.
func describe(f field, was, is any) string {
	before, isName := was.(string)
	after, isNameToo := is.(string)
	if isName && isNameToo {
		return f.text + ", " + after + " instead of " + before
	}
	return f.text
}

func value(o *objects.Object, path []string) any {
	var at any = o.JSON()
	for _, step := range path {
		fields, _ := at.(map[string]any)
		at = fields[step]
	}
	return at
}
