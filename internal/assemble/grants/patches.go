package grants

import (
	"bytes"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// subjectPath begins the path of a JSON patch that changes the subjects of a binding.
const subjectPath = "/subjects"

func hasSubjectPath(data []byte) bool { return bytes.Contains(data, []byte(subjectPath)) }

// ReadPatch returns the subjects that a patch binds, in the form of an object or of JSON.
func ReadPatch(file string, data []byte) (found []Grant) {
	for _, doc := range manifest.Scan(file, data).Docs {
		if doc.Parse() != nil || !worthReading(doc.Bytes()) {
			continue
		}
		w := newWalker(doc, doc.File.Position)
		clear(w.known)
		w.walk(doc.Root, place{})
		found = append(found, w.found...)
	}
	for i := range found {
		found[i].OfPatch = true
	}
	return found
}

// ofPatches returns the subjects that the patches in a kustomization bind.
func ofPatches(file string, data []byte) []Grant {
	found := ofDocuments(file, data, nil)
	for i := range found {
		found[i].OfPatch = true
	}
	return found
}

// isOfSubjects reports whether a node is an operation of a JSON patch that adds subjects to a binding.
func isOfSubjects(n *manifest.Node) bool {
	return n.Get("value") != nil && strings.HasPrefix(n.Get("path").String(), subjectPath)
}

// patched adds the subject of an operation of a JSON patch, or its name alone.
func (w *walker) patched(n *manifest.Node, p place) {
	first, value := len(w.found), n.Get("value")
	if value.IsScalar() {
		if strings.HasSuffix(n.Get("path").String(), "/name") {
			w.grant(value, rbac.Subject{Kind: rbac.KindServiceAccount, Name: filledIn(value.String())}, p)
		}
	} else {
		w.addAll(value, p)
	}
	for i := range w.found[first:] {
		w.found[first+i].OfPatch = true
	}
}

// patch adds the subjects that a JSON patch in a text binds, and reports whether the text is one.
func (w *walker) patch(n *manifest.Node, text string) bool {
	if !strings.Contains(text, subjectPath) {
		return false
	}
	isPatch := false
	for _, doc := range manifest.Scan(w.file, []byte(text)).Docs {
		if doc.Parse() != nil {
			continue
		}
		inner := newWalker(doc, func(int) (line, column int) { return w.position(n.Span().Start) })
		inner.file = w.file
		for _, item := range objects.Items(doc.Root) {
			if isOfSubjects(item) {
				isPatch = true
				inner.patched(item, place{})
			}
		}
		w.found = append(w.found, inner.found...)
	}
	return isPatch
}

// isFilledIn reports whether an object is one of a Template of OpenShift with a parameter, so that its own text does not show the subject.
func isFilledIn(doc *manifest.Document, o *objects.Object) bool {
	if doc.Kind() != "Template" || o.Node == nil {
		return false
	}
	span := o.Node.Span()
	return bytes.Contains(doc.File.Data[span.Start:span.End], []byte("${"))
}
