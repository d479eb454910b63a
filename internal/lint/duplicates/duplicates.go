// Package duplicates finds objects of one name that are applied together and differ: in one file, in one folder of plain files, or in one
// directory that Argo CD applies. Only the last one takes effect.
package duplicates

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"path"
	"reflect"
	"slices"
	"strings"
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

// entry is a document with the identity.
type entry struct {
	file     string
	document int
	// content tells documents with different bytes apart.
	content uint64
}

// Index has the documents of a repository by their identities, as their bytes show them. The zero value is empty.
type Index struct {
	mu   sync.Mutex
	docs map[identity][]entry
	// templates are the folders with manifests whose names are filled in later. A program chooses what it applies of them.
	templates map[string]bool
}

// templatedName matches the name or the namespace of an object that is filled in later.
var templatedName = lazyregexp.New(`(?m)^  (?:name|namespace): *["']?[-.:A-Za-z0-9]*\{\{`)

var seed = maphash.MakeSeed()

// Inspect adds the documents of a file. Several goroutines call it. Documents with templates, and lists, are left out.
func (x *Index) Inspect(f *manifest.File) {
	if isNoManifestOfCluster(f.Path) {
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
		id, ok := identityOf(doc)
		if !ok {
			continue
		}
		e := entry{f.Path, doc.Index, maphash.Bytes(seed, bytes.TrimSpace(doc.Bytes()))}
		x.mu.Lock()
		if x.docs == nil {
			x.docs = map[identity][]entry{}
		}
		x.docs[id] = append(x.docs[id], e)
		x.mu.Unlock()
	}
}

// apart matches folders, and words in them, of which each file is applied alone, or changes an object of another file.
var apart = lazyregexp.New(`(?i)(?:^|/)(?:\.[^/]+|(?:[^/]*[-_.])?(?:tests?|e2e|chainsaw|examples?|samples?|docs|hack|patch|patches)(?:[-_.][^/]*)?)(?:/|$)`)

// isNoManifestOfCluster is true for data of tests, examples, patches, and kustomizations.
func isNoManifestOfCluster(file string) bool {
	return textpaths.IsOfTests(file) || objects.IsKustomizationFile(file) || apart().MatchString(file)
}

// validName matches the names that API servers accept; others are filled in later.
var validName = lazyregexp.New(`^[\w.:@-]+$`)

// metadata matches the block or flow mapping of the metadata of a document that is written plainly.
var (
	metadata = lazyregexp.New(`(?m)^metadata:(?:[ \t]*(?:#.*)?\r?\n(?:(?:[ \t]+.*|#.*|[ \t]*)\r?(?:\n|\z))*|[ \t]*\{[^\n]*\})`)
	named    = lazyregexp.New(`(?m)(?:^  |^ {4}|[{,]\s*)(name|namespace):[ \t]*["']?([^\s"',}#]+)["']?[ \t]*(?:#.*|[,}].*)?\r?$`)
	inFlow   = lazyregexp.New(`[{,]\s*(name|namespace):\s*["']?([^\s"',}]+)`)
)

// identityOf reads the identity of a document from its bytes; ok is false if they do not show it.
func identityOf(doc *manifest.Document) (id identity, ok bool) {
	data := doc.Bytes()
	version := doc.APIVersion()
	if doc.Kind() == "" || version == "" || manifest.IsContainer(doc.Kind()) || bytes.Contains(data, []byte("{{")) || bytes.Contains(data, []byte("${")) {
		return identity{}, false
	}
	text := metadata().Find(data)
	if text == nil {
		return identity{}, false
	}
	id.kind = doc.Kind()
	if group, _, found := strings.Cut(version, "/"); found {
		id.group = group
	}
	form := named()
	if bytes.Contains(text, []byte("{")) && !bytes.Contains(text, []byte("\n")) {
		form = inFlow()
	}
	indent := -1
	for _, at := range form.FindAllSubmatchIndex(text, -1) {
		depth := at[2] - 1 - bytes.LastIndexByte(text[:at[2]], '\n')
		if indent < 0 {
			indent = firstIndent(text)
		}
		if form == named() && depth != indent {
			continue // a label, or a reference to an owner
		}
		if value := string(text[at[4]:at[5]]); string(text[at[2]:at[3]]) == "name" {
			id.name = value
		} else {
			id.namespace = value
		}
	}
	return id, validName().MatchString(id.name) && (id.namespace == "" || validName().MatchString(id.namespace))
}

// firstIndent is the indentation of the fields of metadata.
func firstIndent(text []byte) int {
	for line := range bytes.Lines(text) {
		content := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(content); n > 0 && len(bytes.TrimSpace(content)) > 0 && content[0] != '#' {
			return n
		}
	}
	return 0
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
		return nil
	}
	together := collections(r.Units, r.Names, files, x.templates)
	var found []finding.Finding
	for id, docs := range several {
		slices.SortFunc(docs, func(a, b entry) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.document, b.document)) })
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
	for id, docs := range x.docs {
		if id.group != "" || id.kind != kind || !isLookedFor(id.name) {
			continue
		}
		for _, e := range docs {
			if doc := r.parsed(e); doc != nil && nameIn(doc) == id.name {
				found = append(found, Named{called(id), id.name, doc.File, finding.RangeIn(doc.File, doc.Locate(namePath))})
			}
		}
	}
	slices.SortFunc(found, func(a, b Named) int {
		return cmp.Or(cmp.Compare(a.File.Path, b.File.Path), cmp.Compare(a.At.Line, b.At.Line))
	})
	return found
}

// Named is a document with the place of its name.
type Named struct {
	Called, Name string
	File         *manifest.File
	At           finding.Range
}

var namePath = manifest.Path{"metadata", "name"}

func nameIn(doc *manifest.Document) string { return doc.Root.Lookup(namePath).String() }

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
	if a == nil || b == nil || reflect.DeepEqual(a.Root.Decode(), b.Root.Decode()) {
		return finding.Finding{}, false
	}
	if nameIn(a) != id.name || nameIn(b) != id.name || objects.AreVariants(a.Root, b.Root) {
		return finding.Finding{}, false
	}
	line, _ := a.File.Position(a.Locate(namePath).Start)
	message := fmt.Sprintf("%s is defined at %s:%d, too, with other contents. What is applied last replaces the other. Rename one of them, or remove it.",
		called(id), first.file, line)
	f := finding.AboutFile(Rule, second.file, finding.RangeIn(b.File, b.Locate(namePath)), message)
	f.Related = []finding.Related{{File: first.file, Line: line, Message: "the other object of this name"}}
	return f, true
}

func (r Repository) parsed(e entry) *manifest.Document {
	data, err := r.Text(e.file)
	if err != nil {
		return nil
	}
	docs := manifest.Scan(e.file, data).Docs
	if e.document >= len(docs) || docs[e.document].Parse() != nil {
		return nil
	}
	return docs[e.document]
}
