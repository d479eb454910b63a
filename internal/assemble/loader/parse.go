package loader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
)

// Selection is what to parse of a tree.
type Selection struct {
	// Names are all files of the tree. The charts are found by them.
	Names []string
	// Files are those with a document of interest, and kustomizations.
	Files map[string]*manifest.File
	// Matters selects the documents. Kustomizations are always parsed.
	Matters func(*manifest.Document) bool
	// Missed reports whether a document in a template has to be reported as not checked; nil if charts are rendered.
	Missed func(*manifest.Document) bool
}

// Parsed is the result of parsing a selection, in the order of the file names.
type Parsed struct {
	// Documents is the number of documents that were parsed.
	Documents      int
	Objects        []*objects.Object
	Kustomizations []*objects.Kustomization
	// Unread are the documents that could not be parsed. Problems are what is reported about them and about templates.
	Unread   []Unread
	Problems []Problem

	expansion int // how many values aliases add to the documents
}

// maxExpansion is how many values aliases can add to all documents together; manifest.Document limits each.
const maxExpansion = 200_000

// aliases is what to do with documents that have aliases.
type aliases bool

const (
	expandAliases aliases = false
	rejectAliases aliases = true
)

// Parse parses the selection, several files at a time. The error is that of ctx.
func (s Selection) Parse(ctx context.Context) (Parsed, error) {
	var all Parsed
	charts := assembly.FindCharts(s.Names)
	missed := map[string][]string{}
	var paths []string
	for path := range s.Files {
		if chart, template := charts.Template(path); template {
			missed[chart] = append(missed[chart], path)
			continue
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	results := make([]Parsed, len(paths))
	err := parallel.Do(ctx, len(paths), func(i int) { results[i] = s.parseFile(s.Files[paths[i]], expandAliases) })
	for i, result := range results {
		if all.expansion+result.expansion > maxExpansion {
			result = s.parseFile(s.Files[paths[i]], rejectAliases)
		}
		all.add(result)
	}
	for chart, templates := range missed {
		all.Problems = append(all.Problems, s.unrendered(chart, templates)...)
	}
	SortProblems(all.Problems)
	return all, err
}

func (p *Parsed) add(more Parsed) {
	p.Documents += more.Documents
	p.expansion += more.expansion
	p.Objects = append(p.Objects, more.Objects...)
	p.Kustomizations = append(p.Kustomizations, more.Kustomizations...)
	p.Unread = append(p.Unread, more.Unread...)
	p.Problems = append(p.Problems, more.Problems...)
}

// parseFile parses the selected documents of a file. A document is parsed once, also if this is called again.
func (s Selection) parseFile(f *manifest.File, aliases aliases) Parsed {
	var result Parsed
	isKustomization := objects.IsKustomizationFile(f.Path)
	if offset, template := f.Ytt(); template && !isKustomization {
		return s.yttTemplate(f, offset)
	}
	for _, doc := range f.Docs {
		if !isKustomization && !s.Matters(doc) {
			continue
		}
		result.Documents++
		if err := doc.Parse(); err != nil {
			if isOtherJSON(doc) {
				continue
			}
			result.Problems = append(result.Problems, unparsable(doc, err))
			result.Unread = append(result.Unread, unparsedDocument(doc, err))
			continue
		}
		if aliases == rejectAliases && doc.Expansion() > 0 {
			result.Problems = append(result.Problems, tooManyAliases(doc))
			result.Unread = append(result.Unread, overBudget(doc))
			continue
		}
		result.expansion += doc.Expansion()
		if !isKustomization {
			result.Objects = append(result.Objects, objects.Objects(doc)...)
			continue
		}
		k, err := objects.ReadKustomization(doc)
		if err != nil {
			result.Problems = append(result.Problems, fileProblem(f.Path, fmt.Sprintf("not taken for a kustomization: %v", err)))
			continue
		}
		result.Kustomizations = append(result.Kustomizations, k)
	}
	return result
}

// yttTemplate returns a file that ytt renders as not read, if one of its documents is selected: without its comments it is YAML, but
// not what is applied.
func (s Selection) yttTemplate(f *manifest.File, code int) Parsed {
	var result Parsed
	for _, doc := range f.Docs {
		if s.Matters(doc) {
			result.Documents++
			result.Unread = append(result.Unread, templateDocument(doc))
		}
	}
	if len(result.Unread) > 0 {
		p := Problem{Offset: code, Message: "a ytt template was not checked: lint the output of `ytt`"}
		p.Position.File = f.Path
		p.Position.Line, p.Position.Column = f.Position(code)
		result.Problems = []Problem{p}
	}
	return result
}

// unrendered returns one problem for a chart that is not rendered, if one of its templates could matter.
func (s Selection) unrendered(chart string, templates []string) []Problem {
	if s.Missed == nil {
		return nil
	}
	slices.Sort(templates)
	var places []Place
	for _, template := range templates {
		if slices.ContainsFunc(s.Files[template].Docs, s.Missed) {
			places = append(places, Place{objects.Position{File: template, Line: 1, Column: 1}, "template that was not checked"})
		}
	}
	if len(places) == 0 {
		return nil
	}
	p := fileProblem(strings.TrimPrefix(chart+"/Chart.yaml", "./"),
		"the templates of this Helm chart were not checked, because it cannot be rendered here: lint the output of `helm template`")
	p.Related = places
	return []Problem{p}
}

// SortProblems sorts problems by position, then by message.
func SortProblems(problems []Problem) {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(
			strings.Compare(a.Position.File, b.Position.File), cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column), strings.Compare(a.Message, b.Message))
	})
}
