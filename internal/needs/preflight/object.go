package preflight

import (
	"errors"
	"fmt"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/kube/restmap"
)

// applied is an object as it is applied.
type applied struct {
	object   *rendered.Object
	resource restmap.Resource
	// namespace is the effective one: none for a cluster-scoped object, and the install namespace for a namespaced one
	// without a namespace.
	namespace string
	// old is set for an object of the replaced version, and again for one whose name occurred before: the two versions
	// share most of their objects.
	old, again bool
}

// maxProblems limits the invalid objects that an error lists.
const maxProblems = 20

// readObjects reads both versions, the new one first.
func readObjects(in Input) ([]applied, error) {
	type key struct{ group, plural, namespace, name string }
	seen := map[key]bool{}
	var all []applied
	var problems []error
	for i, set := range [][]rendered.Object{in.Objects, in.Old} {
		for j := range set {
			a, err := readObject(in, &set[j])
			if err != nil {
				problems = append(problems, err)
				continue
			}
			k := key{a.resource.Group, a.resource.Plural, a.namespace, a.object.Name()}
			a.old, a.again = i == 1, seen[k]
			seen[k] = true
			all = append(all, a)
		}
	}
	if more := len(problems) - maxProblems; more > 0 {
		problems = append(problems[:maxProblems], fmt.Errorf("and %d more", more))
	}
	return all, errors.Join(problems...)
}

func readObject(in Input, o *rendered.Object) (applied, error) {
	switch {
	case o.Kind() == "" || o.Version() == "":
		return applied{}, fault(o, "not an object: apiVersion or kind is missing")
	case o.Name() == "":
		return applied{}, fault(o, "the %s has no metadata.name", o.Kind())
	}
	resource, known := in.Resources.Kind(o.Group(), o.Kind())
	if !known {
		return applied{}, fault(o, "the kind %s of %s is unknown, and so are its resource and scope. "+
			"Add its CustomResourceDefinition to the bundle or the repository", o.Kind(), o.JSON["apiVersion"])
	}
	a := applied{object: o, resource: resource}
	if resource.Namespaced {
		if a.namespace = o.Namespace(); a.namespace == "" {
			a.namespace = in.Namespace
		}
		if a.namespace == "" {
			return applied{}, fault(o, "%s %s has no namespace, and that of the extension is unknown. Pass --namespace",
				o.Kind(), o.Name())
		}
	}
	return a, nil
}

// fault returns an error about an object, with its position.
func fault(o *rendered.Object, format string, args ...any) error {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = safetext.Text(text) // a name with a line end must not look like two messages
		}
	}
	return fmt.Errorf("%s: %s", safetext.Text(Place(o)), fmt.Sprintf(format, args...))
}

// Place returns the position of an object, as file:line if known.
func Place(o *rendered.Object) string {
	switch {
	case o.Origin.File == "":
		return "(no file)"
	case o.Origin.Line == 0:
		return o.Origin.File
	}
	return fmt.Sprintf("%s:%d", o.Origin.File, o.Origin.Line)
}
