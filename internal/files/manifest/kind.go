package manifest

import (
	"strings"
	"unique"

	"github.com/salint/salint/internal/files/outline"
)

// header are the kind and the version of a document. Thousands of documents have the same ones, which are kept once.
type header struct{ kind, apiVersion string }

// Kind returns the document's top-level kind if it is visible without parsing: a key `kind` in the first column, or in the
// outermost braces of JSON. It is "" if there is none, or more than one. Settings of control planes have a kind that this program gives them, see [outline.Settings].
func (d *Document) Kind() string { return d.readHeader().kind }

// APIVersion returns the document's top-level apiVersion if it is visible without parsing, in the way of Kind.
func (d *Document) APIVersion() string { return d.readHeader().apiVersion }

func (d *Document) readHeader() header {
	if d.header == (unique.Handle[header]{}) {
		kind, apiVersion := outline.Header(d.Bytes())
		if kind == "" && apiVersion == "" {
			kind, apiVersion = outline.Settings(d.Bytes())
		}
		d.header = unique.Make(header{kind, apiVersion})
	}
	return d.header.Value()
}

// IsContainer reports whether objects of this kind hold other objects: List, RoleList, and similar kinds, and OpenShift's
// Template.
func IsContainer(kind string) bool {
	return strings.HasSuffix(kind, "List") || kind == "Template"
}
