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
)

// Selection says what to parse of a tree.
type Selection struct {
	// Names are all files of the tree: they tell where its charts are.
	Names []string
	// Files are those with a document of interest, and kustomizations.
	Files map[string]*manifest.File
	// Matters picks the documents. Kustomizations are always parsed.
	Matters func(*manifest.Document) bool
	// Missed tells of a document in a template whether it has to be said that charts are not rendered; nil where they are.
	Missed func(*manifest.Document) bool
}

// Parsed is what a selection comes to, in the order of the files' names.
type Parsed struct {
	// Documents counts those that were parsed.
	Documents      int
	Objects        []*objects.Object
	Kustomizations []*objects.Kustomization
	// Broken are documents that could not be parsed; Problems says why, and what else was not read.
	Broken   []*manifest.Document
	Problems []Problem
}

// Parse parses several files at a time. The error is that of ctx.
func (s Selection) Parse(ctx context.Context) (Parsed, error) {
	var all Parsed
	charts := objects.FindCharts(s.Names)
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
	err := parallel.Do(ctx, len(paths), func(i int) { results[i] = s.parseFile(s.Files[paths[i]]) })
	for _, result := range results {
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
	p.Objects = append(p.Objects, more.Objects...)
	p.Kustomizations = append(p.Kustomizations, more.Kustomizations...)
	p.Broken = append(p.Broken, more.Broken...)
	p.Problems = append(p.Problems, more.Problems...)
}

func (s Selection) parseFile(f *manifest.File) Parsed {
	var result Parsed
	isKustomization := objects.IsKustomizationFile(f.Path)
	for _, doc := range f.Docs {
		if !isKustomization && !s.Matters(doc) {
			continue
		}
		result.Documents++
		if err := doc.Parse(); err != nil {
			result.Problems = append(result.Problems, unparsable(doc, err))
			result.Broken = append(result.Broken, doc)
			continue
		}
		if !isKustomization {
			result.Objects = append(result.Objects, objects.Objects(doc)...)
			continue
		}
		k, err := objects.ReadKustomization(doc)
		if err != nil {
			result.Problems = append(result.Problems, aboutFile(f.Path, fmt.Sprintf("not taken for a kustomization: %v", err)))
			continue
		}
		result.Kustomizations = append(result.Kustomizations, k)
	}
	return result
}

// unrendered says once that a chart which could matter is not rendered.
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
	p := aboutFile(strings.TrimPrefix(chart+"/Chart.yaml", "./"),
		"the templates of this Helm chart were not checked, for it cannot be rendered here: lint the output of `helm template`")
	p.Related = places
	return []Problem{p}
}

// SortProblems orders problems by place, and by message where that agrees.
func SortProblems(problems []Problem) {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(
			strings.Compare(a.Position.File, b.Position.File), cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column), strings.Compare(a.Message, b.Message))
	})
}
