package lsp

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// role is what an object, or a field of it, is to the question about permissions.
type role int

const (
	isExtension role = iota
	isAccount
	isRole
	isSubject
	isRoleRef
)

// place is a field of a document about which a hover has something to say.
type place struct {
	role role
	// ref identifies the object, see objects.Object.Ref.
	ref        string
	subject    int // the index of the subject in a binding
	start, end int
}

// findPlace returns the place at an offset of a document, if there is one.
func findPlace(d *document, at int) (place, bool) {
	o := objectAt(d, at)
	if o == nil {
		return place{}, false
	}
	for _, candidate := range placesOf(o) {
		_, span := o.Locate(candidate.path)
		if o.Node.Lookup(candidate.path) != nil && span.Start <= at && at <= span.End {
			p := candidate.place
			p.ref, p.start, p.end = o.Ref(), span.Start, span.End
			return p, true
		}
	}
	return place{}, false
}

// objectAt returns the innermost object at an offset, or nil.
func objectAt(d *document, at int) *objects.Object {
	var found *objects.Object
	size := 0
	for _, o := range objectsOf(d) {
		_, span := o.Locate(nil)
		if n := span.End - span.Start; span.Start <= at && at <= span.End && (found == nil || n < size) {
			found, size = o, n
		}
	}
	return found
}

// objectsOf returns the objects of a document, without those in broken YAML.
func objectsOf(d *document) []*objects.Object {
	var all []*objects.Object
	for _, doc := range manifest.Scan(d.name, d.bytes()).Docs {
		if doc.Parse() == nil {
			all = append(all, objects.AllObjects(doc)...)
		}
	}
	return all
}

type candidate struct {
	place
	path manifest.Path
}

// placesOf returns the fields of an object that name an extension, an account, a subject, or a role.
func placesOf(o *objects.Object) []candidate {
	own := func(r role, more ...manifest.Path) []candidate {
		all := []candidate{{place{role: r}, manifest.Path{"kind"}}, {place{role: r}, manifest.Path{"metadata", "name"}}}
		for _, path := range more {
			all = append(all, candidate{place{role: r}, path})
		}
		return all
	}
	if extension, ok := olm.ReadExtension(o.Node); ok {
		return own(isExtension, extension.Account.Path)
	}
	switch {
	case o.Kind == rbac.KindServiceAccount && o.Group == "":
		return own(isAccount)
	case o.Group != rbac.Group:
		return nil
	case o.Kind == "Role" || o.Kind == "ClusterRole":
		return own(isRole)
	case !strings.HasSuffix(o.Kind, "RoleBinding"):
		return nil
	}
	all := []candidate{{place{role: isRoleRef}, manifest.Path{"roleRef"}}}
	if subjects := o.Node.Get("subjects"); subjects != nil {
		for i := range subjects.Items() {
			all = append(all, candidate{place{role: isSubject, subject: i}, manifest.Path{"subjects", strconv.Itoa(i)}})
		}
	}
	return all
}
