package objects

import (
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
)

// maxNesting limits the nesting of Lists and Templates. A container below it is returned as an object itself, so
// that it can be reported as not checked.
const maxNesting = 8

const templateGroup = "template.openshift.io"

// Objects lists the objects of a document, in the order of the file. The items of a List, of any kind ending in List, and
// the objects of an OpenShift Template replace their container, also when nested. A mapping without a kind is not an
// object: values of a chart, patches in JSON, and other data have none, but settings of control planes count as objects. A document that was not parsed, or could not be,
// has none either.
func Objects(doc *manifest.Document) []*Object {
	u := unfolder{doc: doc}
	u.unfold(doc.Root, nil, typeMeta{doc.APIVersion(), doc.Kind()}, 0)
	return u.objects
}

// IsSettings reports whether an object stands for settings of a control plane, which nothing applies to a cluster.
func (o *Object) IsSettings() bool {
	return len(o.Path) == 0 && o.Doc != nil && o.Doc.Root.IsMapping() && o.Doc.Root.Get("kind") == nil && o.Embedding == nil
}

type typeMeta struct{ apiVersion, kind string }

type unfolder struct {
	doc     *manifest.Document
	objects []*Object
}

// unfold adds the object at a node, or the objects it contains. Inherited is the type that a typed list sets for its items.
func (u *unfolder) unfold(n *manifest.Node, path manifest.Path, inherited typeMeta, depth int) {
	meta := typeMeta{n.Get("apiVersion").String(), n.Get("kind").String()}
	if meta == (typeMeta{}) {
		meta = inherited
	}
	if !n.IsMapping() || meta.kind == "" {
		return
	}
	key, itemMeta := contents(n, meta)
	// An alias is not followed into its items: a few aliases to lists of aliases would expand to billions.
	if key == "" || depth == maxNesting || n.Kind() == yaml.AliasNode {
		u.objects = append(u.objects, newObject(u.doc, n, path, meta))
		return
	}
	for i, item := range Items(n.Get(key)) {
		u.unfold(item, path.Join(key, strconv.Itoa(i)), itemMeta, depth+1)
	}
}

// contents returns the key under which a container holds its objects, or "" for any other object, and the type of items
// that do not set their own. As in client-go, items of a RoleList are Roles of the list's version.
func contents(n *manifest.Node, meta typeMeta) (key string, inherited typeMeta) {
	group, _ := SplitAPIVersion(meta.apiVersion)
	switch {
	case strings.HasSuffix(meta.kind, "List") && n.Get("items").IsSequence():
		return "items", typeMeta{meta.apiVersion, strings.TrimSuffix(meta.kind, "List")}
	case meta.kind == "Template" && (group == templateGroup || group == "") && n.Get("objects").IsSequence():
		return "objects", typeMeta{}
	}
	return "", typeMeta{}
}

func newObject(doc *manifest.Document, n *manifest.Node, path manifest.Path, meta typeMeta) *Object {
	group, _ := SplitAPIVersion(meta.apiVersion)
	metadata := n.Get("metadata")
	if n.Get("kind") == nil && n.Get("apiVersion") == nil { // readers of the node need the type that is set outside of it
		n = n.WithText(manifest.Path{"kind"}, meta.kind).WithText(manifest.Path{"apiVersion"}, meta.apiVersion)
	}
	return &Object{
		APIVersion: meta.apiVersion, Group: group, Kind: meta.kind,
		Namespace: metadata.Get("namespace").String(), Name: metadata.Get("name").String(),
		Doc: doc, Path: path, Node: n, File: doc.File.Path,
	}
}

// Items lists the items of a sequence, also through an alias; nil for anything else.
func Items(n *manifest.Node) []*manifest.Node {
	var all []*manifest.Node
	for n.IsSequence() {
		item := n.Lookup(manifest.Path{strconv.Itoa(len(all))})
		if item == nil {
			break
		}
		all = append(all, item)
	}
	return all
}

// Innermost returns the manifest that a field of an object belongs to, with the path of the field inside of it: the object itself, or the
// innermost mapping around the field with an apiVersion and a kind, such as a template of a ResourceGraphDefinition.
func (o *Object) Innermost(field manifest.Path) (*Object, manifest.Path) {
	for i := len(field) - 1; i > 0; i-- {
		n := o.Node.Lookup(field[:i])
		meta := typeMeta{n.Get("apiVersion").String(), n.Get("kind").String()}
		if meta.apiVersion != "" && meta.kind != "" && n.Get("metadata").IsMapping() {
			return newObject(o.Doc, n, o.Path.Join(field[:i]...), meta), field[i:]
		}
	}
	return o, field
}

// Detached returns an object for a node that is in no file of the repository, such as a value of a test.
func Detached(n *manifest.Node) *Object {
	doc := &manifest.Document{File: &manifest.File{}}
	return newObject(doc, n, nil, typeMeta{n.Get("apiVersion").String(), n.Get("kind").String()})
}
