// Package duplicates finds objects of one name that are applied together and differ: in one file, in one folder of plain files, or in one
// directory that Argo CD applies. Only the last one takes effect.
package duplicates

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"path"
	"slices"
	"strconv"
	"sync"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
)

// Rule is the rule about such objects.
var Rule = finding.ProgramRule{Name: "repo/duplicate-object", Severity: finding.Warning}

// identity is what an API server knows an object by.
type identity struct{ group, kind, namespace, name string }

// entry is a document with the identity, or an item of a list.
type entry struct {
	file     string
	document int
	path     manifest.Path
	// generated is true for an entry of a generator of a kustomization.
	generated bool
	// content tells documents with different bytes apart.
	content uint64
}

// Index has the documents of a repository by their identities, as their bytes show them. The zero value is empty.
type Index struct {
	mu   sync.Mutex
	docs map[identity][]entry
	// filledIn are documents whose name is written plainly, and other fields are filled in later.
	filledIn map[identity][]entry
	// templates are the folders with manifests whose names are filled in later. A program chooses what it applies of them.
	templates map[string]bool
}

// templatedName matches the name or the namespace of an object that is filled in later.
var templatedName = lazyregexp.New(`(?m)^  (?:name|namespace): *["']?[-.:A-Za-z0-9]*\{\{`)

var seed = maphash.MakeSeed()

// Inspect adds the documents of a file, and the items of lists. Several goroutines call it. Documents with templates are kept apart.
func (x *Index) Inspect(f *manifest.File) {
	if isNoManifestOfCluster(f.Path) {
		return
	}
	if objects.IsKustomizationFile(f.Path) {
		x.inspectGenerators(f)
		return
	}
	if templatedName().Match(f.Data) {
		x.mu.Lock()
		if x.templates == nil {
			x.templates = map[string]bool{}
		}
		x.templates[path.Dir(f.Path)] = true
		x.mu.Unlock()
	}
	for _, doc := range f.Docs {
		if manifest.IsContainer(doc.Kind()) || doc.Kind() != "" && doc.APIVersion() != "" && isJSON(doc.Bytes()) {
			x.inspectItems(doc)
			continue
		}
		id, ok := identityOf(doc)
		if !ok {
			continue
		}
		x.add(id, entry{f.Path, doc.Index, nil, false, maphash.Bytes(seed, bytes.TrimSpace(doc.Bytes()))}, isFilledIn(doc.Bytes()))
	}
}

// inspectGenerators adds the ConfigMaps that a kustomization generates without a hash in their names.
func (x *Index) inspectGenerators(f *manifest.File) {
	if !bytes.Contains(f.Data, []byte("configMapGenerator")) || !bytes.Contains(f.Data, []byte("disableNameSuffixHash")) || len(f.Docs) == 0 || f.Docs[0].Parse() != nil {
		return
	}
	root := f.Docs[0].Root
	isTrue := func(n *manifest.Node, field string) bool {
		return n.Lookup(manifest.Path{field, "disableNameSuffixHash"}).String() == "true"
	}
	for i, generator := range objects.Items(root.Get("configMapGenerator")) {
		id := identity{kind: "ConfigMap", namespace: root.Get("namespace").String(), name: generator.Get("name").String()}
		if (isTrue(root, "generatorOptions") || isTrue(generator, "options")) && id.isPlain() {
			x.add(id, entry{file: f.Path, path: manifest.Path{"configMapGenerator", strconv.Itoa(i)}, generated: true}, true)
		}
	}
}

// maxList limits the lists whose items are read.
const maxList = 1 << 20

// inspectItems adds the items of a list, which its bytes do not tell apart, and of a Template, whose parameters are filled in later. It also
// adds an object in JSON.
func (x *Index) inspectItems(doc *manifest.Document) {
	data := doc.Bytes()
	if len(data) > maxList || bytes.Contains(data, []byte("{{")) || doc.Parse() != nil {
		return
	}
	for _, o := range objects.Objects(doc) {
		id := identity{o.Group, o.Kind, o.Namespace, o.Name}
		if len(o.Path) == 0 && manifest.IsContainer(doc.Kind()) || !id.isPlain() {
			continue
		}
		span := o.Node.Span()
		x.add(id, entry{doc.File.Path, doc.Index, o.Path, false, maphash.Bytes(seed, doc.File.Data[span.Start:span.End])}, doc.Kind() == "Template")
	}
}

func (x *Index) add(id identity, e entry, filledIn bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.docs == nil {
		x.docs, x.filledIn = map[identity][]entry{}, map[identity][]entry{}
	}
	if filledIn {
		x.filledIn[id] = append(x.filledIn[id], e)
	} else {
		x.docs[id] = append(x.docs[id], e)
	}
}

// apart matches folders, and words in them, of which each file is applied alone, or changes an object of another file.
var apart = lazyregexp.New(`(?i)(?:^|/)(?:\.[^/]+|(?:[^/]*[-_.])?(?:tests?|e2e|chainsaw|examples?|samples?|docs|hack|patch|patches)(?:[-_.][^/]*)?)(?:/|$)`)

// isNoManifestOfCluster is true for data of tests, examples, and patches.
func isNoManifestOfCluster(file string) bool {
	return textpaths.IsOfTests(file) || apart().MatchString(file)
}

// Repository is what the findings depend on.
type Repository struct {
	Units []*objects.Unit
	// Names are those of all files.
	Names []string
	// Text returns the content of a file.
	Text func(file string) ([]byte, error)
}

// Findings returns a finding about each document that another one with the same identity and other contents precedes.
func (x *Index) Findings(r Repository) []finding.Finding {
	found := ofCharts(r.Units)
	several, files := map[identity][]entry{}, map[string]bool{}
	for id, docs := range x.docs {
		if differ(docs) {
			several[id] = docs
			for _, e := range docs {
				files[e.file] = true
			}
		}
	}
	if len(several) == 0 {
		return found
	}
	together := collections(r.Units, r.Names, files, x.templates)
	for id, docs := range several {
		slices.SortFunc(docs, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.document, b.document), slices.Compare(a.path, b.path))
		})
		first := map[string]entry{}
		for _, e := range docs {
			for _, in := range together[e.file] {
				before, again := first[in]
				if !again {
					first[in] = e
					continue
				}
				if f, is := r.compare(id, before, e); is {
					found = append(found, f)
					break
				}
			}
		}
	}
	finding.Sort(found)
	return found
}

// Named returns the documents of a kind of the core group with one of the names that are looked for, in the order of their files.
func (x *Index) Named(r Repository, kind string, isLookedFor func(name string) bool) []Named {
	var found []Named
	for _, docs := range []map[identity][]entry{x.docs, x.filledIn} {
		for id, entries := range docs {
			if id.group != "" || id.kind != kind || !isLookedFor(id.name) {
				continue
			}
			for _, e := range entries {
				if n, ok := r.named(id, e); ok {
					found = append(found, n)
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b Named) int {
		return cmp.Or(cmp.Compare(a.File.Path, b.File.Path), cmp.Compare(a.At.Line, b.At.Line))
	})
	return found
}

// named returns the place of the name of an entry. A template that is no YAML shows it in its bytes.
func (r Repository) named(id identity, e entry) (Named, bool) {
	doc := r.document(e)
	if doc == nil {
		return Named{}, false
	}
	n := Named{called(id), id.name, doc.File, finding.Range{}}
	if doc.Parse() == nil && e.nameIn(doc) == id.name {
		n.At = finding.RangeIn(doc.File, doc.Locate(e.nameAt()))
		return n, true
	}
	if !isFilledIn(doc.Bytes()) {
		return n, false
	}
	at := bytes.Index(doc.Bytes(), []byte(id.name))
	n.At = finding.RangeIn(doc.File, manifest.Span{Start: doc.Span.Start + at, End: doc.Span.Start + at + len(id.name)})
	return n, at >= 0
}

// Named is a document with the place of its name.
type Named struct {
	Called, Name string
	File         *manifest.File
	At           finding.Range
}

var namePath = manifest.Path{"metadata", "name"}

func (e entry) nameIn(doc *manifest.Document) string { return doc.Root.Lookup(e.nameAt()).String() }

func (e entry) nameAt() manifest.Path {
	if e.generated {
		return e.path.Join("name")
	}
	return e.path.Join(namePath...)
}

// called is the kind and name for people.
func called(id identity) string {
	if id.namespace == "" {
		return id.kind + " " + id.name
	}
	return id.kind + " " + id.namespace + "/" + id.name
}

func differ(docs []entry) bool {
	return slices.ContainsFunc(docs, func(e entry) bool { return e.content != docs[0].content })
}

// collections returns for each file the names of what applies it together with others: the folder, unless a kustomization or chart reads
// the file or the folder has a kustomization, and the directories of Argo CD; in a folder with templates the file alone.
func collections(units []*objects.Unit, names []string, files, templates map[string]bool) map[string][]string {
	built, in, kustomized := map[string]bool{}, map[string][]string{}, map[string]bool{}
	for _, name := range names {
		if objects.IsKustomizationFile(name) {
			kustomized[path.Dir(name)] = true
		}
	}
	for _, u := range units {
		if u.Kind == objects.PlainUnit {
			continue
		}
		isDirectory := u.Kind == objects.ApplicationUnit && len(u.Kustomizations)+len(u.Renderings) == 0
		for _, file := range u.ReadOf(files) {
			built[file] = true
			if isDirectory {
				in[file] = append(in[file], u.Name)
			}
		}
	}
	for file := range files {
		switch folder := path.Dir(file); {
		case built[file] || kustomized[folder]:
		case templates[folder]:
			in[file] = append(in[file], file)
		default:
			in[file] = append(in[file], folder+"/")
		}
	}
	return in
}

// compare returns a finding about the second of two documents if they differ once they are parsed.
func (r Repository) compare(id identity, first, second entry) (finding.Finding, bool) {
	if first.content == second.content {
		return finding.Finding{}, false
	}
	a, b := r.parsed(first), r.parsed(second)
	if a == nil || b == nil || first.nameIn(a) != id.name || second.nameIn(b) != id.name {
		return finding.Finding{}, false
	}
	one, other := a.Root.Lookup(first.path), b.Root.Lookup(second.path)
	if areEqual(one.Decode(), other.Decode()) || objects.AreVariants(one, other) {
		return finding.Finding{}, false
	}
	line, _ := a.File.Position(a.Locate(first.nameAt()).Start)
	message := fmt.Sprintf("%s is defined at %s:%d, too, with other contents. What is applied last replaces the other. Rename one of them, or remove it.",
		called(id), first.file, line)
	f := finding.AboutFile(Rule, second.file, finding.RangeIn(b.File, b.Locate(second.nameAt())), message)
	f.Related = []finding.Related{{File: first.file, Line: line, Message: "the other object of this name"}}
	return f, true
}

func (r Repository) parsed(e entry) *manifest.Document {
	if doc := r.document(e); doc != nil && doc.Parse() == nil {
		return doc
	}
	return nil
}

func (r Repository) document(e entry) *manifest.Document {
	data, err := r.Text(e.file)
	if err != nil {
		return nil
	}
	if docs := manifest.Scan(e.file, data).Docs; e.document < len(docs) {
		return docs[e.document]
	}
	return nil
}
