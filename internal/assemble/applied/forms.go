package applied

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// SameSource reports whether two objects come from one manifest.
func SameSource(a, b *objects.Object) bool {
	x, y := a.Source(), b.Source()
	return a == b || x != nil && y != nil && x.File == y.File && x.Doc.Index == y.Doc.Index && slices.Equal(x.Path, y.Path)
}

// SourceKey is equal for two objects if SameSource holds for them.
func SourceKey(o *objects.Object) string {
	source := o.Source()
	if source == nil {
		return fmt.Sprintf("%p", o)
	}
	return fmt.Sprintf("%s\x00%d\x00%s", source.File, source.Doc.Index, strings.Join(source.Path, "\x00"))
}

// Form is an object as a unit applies it.
type Form struct {
	Unit   *objects.Unit
	Object *objects.Object
}

// AppliedForms returns the objects that the units make from the source of an object.
func (r *Repository) AppliedForms(o *objects.Object) []Form {
	r.indexed.Do(r.index)
	doc, path := SourceKeyOf(o)
	return r.forms[doc][path]
}

func (r *Repository) addForm(m Form) {
	doc, path := SourceKeyOf(m.Object)
	if r.forms[doc] == nil {
		r.forms[doc] = map[string][]Form{}
	}
	r.forms[doc][path] = append(r.forms[doc][path], m)
}

// SourceKeyOf returns what identifies the source of an object: the document, and the path in it. An object without a file is
// its own source.
func SourceKeyOf(o *objects.Object) (document, path string) {
	s := o.Source()
	if s == nil {
		return o.Ref(), "\x00"
	}
	return documentKey(s.File, s.Doc.Index), strings.Join(s.Path, "\x00")
}

// SourceRef returns the reference of the manifest from which an object is made, which is the same for all its forms.
func SourceRef(o *objects.Object) string {
	if s := o.Source(); s != nil {
		return s.Ref()
	}
	return o.Ref()
}

// DocumentRef returns what the references of all objects of a document begin with.
func DocumentRef(doc *manifest.Document) string {
	return fmt.Sprintf("%s#%d/", doc.File.Path, doc.Index)
}

func documentKey(file string, index int) string { return file + "\x00" + strconv.Itoa(index) }

// FormsAt returns the applied forms of the innermost object that contains a path of a document; nil if no unit applies one.
func (r *Repository) FormsAt(file string, document int, path manifest.Path) []Form {
	r.indexed.Do(r.index)
	in := r.forms[documentKey(file, document)]
	for n := len(path); n >= 0; n-- {
		if found := in[strings.Join(path[:n], "\x00")]; found != nil {
			return found
		}
	}
	return nil
}

// FormsIn returns the applied forms of all objects of a document.
func (r *Repository) FormsIn(file string, document int) []Form {
	r.indexed.Do(r.index)
	in := r.forms[documentKey(file, document)]
	var all []Form
	for _, path := range slices.Sorted(maps.Keys(in)) {
		all = append(all, in[path]...)
	}
	return all
}
