package lint

import "fmt"

// unproven tells of a file whether an application may apply it in a form that nobody knows: where that stands, and why.
func (r *run) unproven(file string) (place, why string) {
	if found, is := r.applications.Unresolved(file); is {
		return found.Position.String(), found.Message
	}
	return "", ""
}

// ignorer is a tree that knows which new files would not become part of it.
type ignorer interface {
	Ignored(file string) (place string, is bool)
}

// leftOut tells of a new file which line keeps it from those who apply it, and what comes of that.
func (r *run) leftOut(file string) (place, why string) {
	if tree, ok := r.Tree.(ignorer); ok {
		if place, is := tree.Ignored(file); is {
			return place, "git does not commit it"
		}
	}
	if place, by, is := r.applications.IgnoredBySource(file); is {
		return place, fmt.Sprintf("the %s never gets it", by)
	}
	return "", ""
}

// Ignored is that of the tree before.
func (t *mendedTree) Ignored(file string) (place string, is bool) {
	if tree, ok := t.Tree.(ignorer); ok {
		return tree.Ignored(file)
	}
	return "", false
}
