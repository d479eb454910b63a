package grants

import (
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// policyGroups are the ends of the API groups of objects whose subjects are those that they limit or exempt.
var policyGroups = []string{"kyverno.io", "gatekeeper.sh", "admissionregistration.k8s.io", "flowcontrol.apiserver.k8s.io", "kubewarden.io", rbac.Group, "authorization.openshift.io"}

// ofObjects returns the bindings in YAML that salint does not read as objects: in tasks of Ansible, in templates of controllers such as kro, and in
// objects of which a controller makes bindings, such as ClusterPermissions.
func ofObjects(file string, data []byte) []Grant {
	if !isManifest(file) {
		return nil
	}
	var found []Grant
	for _, doc := range manifest.Scan(file, data).Docs {
		if !bindingWord().Match(doc.Bytes()) || doc.Parse() != nil {
			continue
		}
		w := walker{doc: doc, known: map[*manifest.Node]bool{}}
		for _, o := range objects.AllObjects(doc) {
			isPolicy := slices.ContainsFunc(policyGroups, func(end string) bool { return strings.HasSuffix(o.Group, end) })
			if isPolicy || strings.HasSuffix(o.Group, ".config.k8s.io") {
				w.known[doc.Root.Lookup(o.Path)] = true
			}
		}
		w.walk(doc.Root, false)
		found = append(found, w.found...)
	}
	return found
}

// walker looks for subjects in a document.
type walker struct {
	doc   *manifest.Document
	known map[*manifest.Node]bool // objects whose subjects are read, or are not bound
	found []Grant
}

// walk walks through a node. bound is true inside of a field for bindings.
func (w *walker) walk(n *manifest.Node, bound bool) {
	if w.known[n] {
		return
	}
	fields := n.Fields()
	bound = bound || slices.ContainsFunc(fields, func(f manifest.Field) bool { return bindingWord().MatchString(f.Key.String()) }) ||
		strings.HasSuffix(n.Get("kind").String(), "RoleBinding")
	for _, field := range fields {
		key := field.Key.String()
		switch {
		case key == "subject" && bound && field.Value.IsMapping():
			w.add(field.Value)
		case key == "subjects" && bound:
			for _, subject := range objects.Items(field.Value) {
				w.add(subject)
			}
		default:
			w.walk(field.Value, bound)
		}
	}
	for i := range objects.Items(n) {
		w.walk(n.Lookup(manifest.Path{strconv.Itoa(i)}), bound)
	}
}

func (w *walker) add(subject *manifest.Node) {
	line, column := w.doc.File.Position(subject.Span().Start)
	s := rbac.Subject{Kind: subject.Get("kind").String(), Namespace: subject.Get("namespace").String(), Name: subject.Get("name").String()}
	if s.Name == "" {
		s.Name = Unknown
	}
	w.found = append(w.found, Grant{objects.Position{File: w.doc.File.Path, Line: line, Column: column}, s})
}
