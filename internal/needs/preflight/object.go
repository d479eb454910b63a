package preflight

import (
	"errors"
	"fmt"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/kube/restmap"
)

// applied is an object as the API server meets it.
type applied struct {
	object   *rendered.Object
	resource restmap.Resource
	// namespace is the one that counts: none for an object of the cluster whatever is written on it, and the install
	// namespace where a namespaced one names none.
	namespace string
	// old tells that it is of the version being replaced, and again that it was met before, by its name: the two versions
	// share most of their objects.
	old, again bool
}

// maxProblems is how many broken objects an error lists: the first ones show what is wrong.
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
		return applied{}, fault(o, "not an object: it has no apiVersion or no kind")
	case o.Name() == "":
		return applied{}, fault(o, "the %s has no metadata.name, by which OLM would look for it", o.Kind())
	}
	resource, known := in.Resources.Kind(o.Group(), o.Kind())
	if !known {
		return applied{}, fault(o, "the kind %s of %s is not known, so neither is what it is called in a rule and whether it is "+
			"namespaced: add its CustomResourceDefinition to the bundle or the repository", o.Kind(), o.JSON["apiVersion"])
	}
	a := applied{object: o, resource: resource}
	if resource.Namespaced {
		if a.namespace = o.Namespace(); a.namespace == "" {
			a.namespace = in.Namespace
		}
		if a.namespace == "" {
			return applied{}, fault(o, "%s %s has no namespace, and the one of the extension is not known: give --namespace",
				o.Kind(), o.Name())
		}
	}
	return a, nil
}

// fault says what is wrong with an object, behind its place.
func fault(o *rendered.Object, format string, args ...any) error {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = safetext.Text(text) // a name with a line end in it must not look like two messages
		}
	}
	return fmt.Errorf("%s: %s", safetext.Text(Place(o)), fmt.Sprintf(format, args...))
}

// Place is where an object stands, as file:line as far as that is known.
func Place(o *rendered.Object) string {
	switch {
	case o.Origin.File == "":
		return "(no file)"
	case o.Origin.Line == 0:
		return o.Origin.File
	}
	return fmt.Sprintf("%s:%d", o.Origin.File, o.Origin.Line)
}
