package objects

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// Twin describes a unit whose root kustomization does nothing but give the objects of other folders a prefix, a namespace, or both. Units
// with the same Key differ in nothing but the texts of Values.
type Twin struct {
	Key    string
	Values []TwinValue
}

// TwinValue is the value of a field of the root kustomization.
type TwinValue struct {
	Field, Text string
	Span        manifest.Span // in the file
}

// TwinFields are the fields whose values can differ. The order of built objects depends on a suffix.
var TwinFields = []string{"namePrefix", "namespace"}

// AsTwin returns what the unit has in common with its twins. It is false if anything but a prefix and a namespace can depend on the root
// kustomization: its own files, patches, generators, or fields that copy parts of names.
func (u *Unit) AsTwin() (twin Twin, ok bool) {
	root := u.Kustomizations[0]
	if u.Kind != KustomizationUnit || u.Root != root.Dir || len(u.Renderings)+len(u.Remotes)+len(u.Problems)+len(u.LeftOut) > 0 ||
		len(root.Doc.File.Docs) != 1 || !root.Doc.Outline(func([][]byte, manifest.Scalar) {}) {
		return Twin{}, false
	}
	if slices.ContainsFunc(u.Kustomizations, func(k *Kustomization) bool {
		return k.IsComponent() || slices.ContainsFunc(k.Doc.Root.Fields(), copiesNames)
	}) {
		return Twin{}, false
	}
	parts := []string{path.Dir(u.Root), path.Base(root.Path)}
	for _, field := range root.Doc.Root.Fields() {
		name, value := field.Key.String(), field.Value
		switch {
		case slices.Contains(TwinFields, name):
			if !twinText[name]().MatchString(value.String()) || !value.IsString() {
				return Twin{}, false
			}
			twin.Values = append(twin.Values, TwinValue{name, value.String(), value.Span()})
			parts = append(parts, name)
		case name == "apiVersion" || name == "kind":
			parts = append(parts, name+value.String())
		case name != "resources":
			return Twin{}, false
		}
	}
	for _, entry := range root.Resources {
		if !strings.HasPrefix(entry.Value, "../") || entry.Target == u.Root || strings.HasPrefix(entry.Target, u.Root+"/") || strings.HasPrefix(entry.Target, "..") {
			return Twin{}, false
		}
		parts = append(parts, entry.Value)
	}
	return Twin{Key: fmt.Sprintf("%q", parts), Values: twin.Values}, len(twin.Values) > 0 && len(root.Resources) > 0
}

// twinText are the values that are written as text in every name: words with a hyphen or a digit, which are never numbers, dates, or
// truth values.
var twinText = map[string]func() interface{ MatchString(string) bool }{
	"namePrefix": matcherOf(`^[a-z][a-z0-9-]+-$`),
	"namespace":  matcherOf(`^[a-z][a-z0-9-]*[0-9-][a-z0-9-]*[a-z0-9]$`),
}

func matcherOf(pattern string) func() interface{ MatchString(string) bool } {
	compiled := lazyregexp.New(pattern)
	return func() interface{ MatchString(string) bool } { return compiled() }
}

// copiesNames reports whether a field can copy names or parts of them, or make objects whose names depend on others.
func copiesNames(field manifest.Field) bool {
	return hasOwnRules(field) || KustomizationField(field.Key.String()) == "configMapGenerator" || KustomizationField(field.Key.String()) == "secretGenerator"
}
