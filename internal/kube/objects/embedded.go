package objects

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
)

// maxEmbedded limits the manifests that are read inside one object, also through other objects inside of it.
const maxEmbedded = 10_000

// Embedding describes where an object comes from that another object holds.
type Embedding struct {
	// Outer is the object of the repository, and Holder the one that directly holds the manifest: they differ for a
	// ConfigurationPolicy inside of a Policy.
	Outer, Holder *Object
	// Keeps is why the live object keeps a field that is removed from the manifest, as a sentence; "" if it does not.
	Keeps string
	// removedBy is how the object goes from the cluster.
	removedBy removalWay
	// Merged is true if the manifest is merged into an object that can have fields from elsewhere.
	Merged bool
}

// Embedded lists the objects whose manifests an object holds, also through other objects inside of it, in the order of the file;
// none for kinds that hold no manifests. More are kinds that the configuration adds.
func Embedded(outer *Object, more ...EmbeddedKind) []*Object {
	r := embeddedReader{outer: outer, more: more, known: map[string]bool{}}
	r.read(outer, 0)
	slices.SortStableFunc(r.found, Compare)
	return r.found
}

// AllObjects lists the objects of a document, and those that they hold. It knows the kinds of the table only: an object of a kind that
// the configuration adds counts as a part of the outer one.
func AllObjects(doc *manifest.Document) []*Object {
	all := Objects(doc)
	for _, outer := range all {
		all = append(all, Embedded(outer)...)
	}
	return all
}

type embeddedReader struct {
	outer *Object
	more  []EmbeddedKind
	found []*Object
	// known are the paths of objects that were found: two kinds of the table and the configuration can lead to the same place.
	known map[string]bool
	// sources are the embedded objects of the source of the outer object, by path.
	sources map[string]*Object
}

// read adds the objects that a holder contains.
func (r *embeddedReader) read(holder *Object, depth int) {
	for _, kinds := range [][]EmbeddedKind{embeddedKinds, r.more} {
		for _, kind := range kinds {
			if kind.Group != holder.Group || kind.Kind != holder.Kind {
				continue
			}
			for _, path := range pathsTo(holder.Node, nil, kind.Path) {
				r.add(holder, kind.form, path, depth)
			}
		}
	}
}

// pathsTo returns the paths that a pattern of a path leads to, in the order of the file.
func pathsTo(n *manifest.Node, at, rest manifest.Path) []manifest.Path {
	for i, step := range rest {
		if step != AnyItem {
			continue
		}
		var paths []manifest.Path
		for _, key := range KeysOf(n.Lookup(rest[:i])) {
			paths = append(paths, pathsTo(n.Lookup(rest[:i].Join(key)), at.Join(rest[:i]...).Join(key), rest[i+1:])...)
		}
		return paths
	}
	if n.Lookup(rest) == nil {
		return nil
	}
	return []manifest.Path{at.Join(rest...)}
}

// add adds the manifest at a path of its holder, and those inside of it. A manifest behind an alias is read but not searched: a few
// aliases to lists of aliases would expand to billions.
func (r *embeddedReader) add(holder *Object, form embeddedForm, path manifest.Path, depth int) {
	if form.absent(holder.Node, path) {
		return
	}
	node := holder.Node.Lookup(path)
	around := form.typeBeside(holder.Node, path)
	u := unfolder{doc: r.outer.Doc}
	u.unfold(node, holder.Path.Join(path...), around, 0)
	u.objects = slices.DeleteFunc(u.objects, func(o *Object) bool { return r.known[o.Path.String()] })
	for _, o := range u.objects {
		r.known[o.Path.String()] = true
		if len(r.found) == maxEmbedded {
			return
		}
		form.complete(holder.Node, path, o)
		o = r.applied(o, form.keeps(holder, path, o))
		o.Embedding.removedBy = form.removal(holder)
		o.Embedding.Holder, o.Embedding.Merged = holder, form == configurationForm && o.Embedding.Keeps != ""
		r.found = append(r.found, o)
		if depth < maxNesting && node.Kind() != yaml.AliasNode {
			r.read(o, depth+1)
		}
	}
}

// applied returns an object inside of the outer one in the form in which the unit of the outer one applies it.
func (r *embeddedReader) applied(o *Object, keeps string) *Object {
	o.Embedding = &Embedding{Outer: r.outer, Keeps: keeps}
	outer := r.outer.Applied
	if outer == nil {
		return o
	}
	inside := o.Embedding.Inside(o)
	built := *outer
	built.Source = r.source(o)
	built.Trace = func(path manifest.Path) []Trace { return outer.Trace(inside.Join(path...)) }
	if outer.Writers != nil {
		built.Writers = func(path manifest.Path) []Writer { return outer.Writers(inside.Join(path...)) }
	}
	o.Applied = &built
	return o
}

// source returns the object at the same place of the file; nil if the file has another one there, because a patch moves or adds it.
func (r *embeddedReader) source(o *Object) *Object {
	if r.outer.Applied.Source == nil {
		return nil
	}
	if r.sources == nil {
		r.sources = map[string]*Object{}
		for _, source := range Embedded(r.outer.Applied.Source, r.more...) {
			r.sources[source.Path.String()] = source
		}
	}
	source := r.sources[o.Path.String()]
	if source == nil || source.Kind != o.Kind || source.Group != o.Group || source.Name != o.Name {
		return nil
	}
	return source
}

// Inside returns the path of an embedded object inside of the outer object.
func (e *Embedding) Inside(o *Object) manifest.Path { return o.Path[len(e.Outer.Path):] }

// WrittenBack returns where the holder of an embedded object writes a field again from another object after it is removed from the
// manifest, as a path inside of the holder: a reference of a Crossplane Object. It returns nil if nothing does.
func (e *Embedding) WrittenBack(field manifest.Path) manifest.Path {
	if e.Holder == nil || e.Holder.Group != crossplane && e.Holder.Group != crossplaneV2 {
		return nil
	}
	for i, reference := range Items(e.Holder.Node.Lookup(manifest.Path{"spec", "references"})) {
		from := reference.Lookup(manifest.Path{"patchesFrom", "fieldPath"}).String()
		to := reference.Get("toFieldPath").String()
		if to == "" {
			to = from
		}
		if to == "" {
			continue // dependsOn alone writes nothing
		}
		steps := strings.Split(strings.TrimPrefix(to, "."), ".")
		if n := min(len(steps), len(field)); slices.Equal(steps[:n], field[:n]) {
			return manifest.Path{"spec", "references", strconv.Itoa(i)}
		}
	}
	return nil
}
