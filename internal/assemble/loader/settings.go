package loader

import (
	"bytes"
	"context"
	"slices"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// IsConfigMap reports whether a document is a ConfigMap. Applications can take values and variables from it.
func IsConfigMap(doc *manifest.Document) bool {
	return doc.Kind() == "ConfigMap"
}

// Settings returns the ConfigMaps from which objects of Argo CD and Flux take values, and the settings of Argo CD itself. Only
// the objects for which among returns true count. It can return too many. The error is that of the context.
func Settings(ctx context.Context, files map[string]*manifest.File, among func(*manifest.Document) bool) ([]*manifest.Document, error) {
	kinds := gitops.Kinds()
	var objs []*objects.Object
	var maps []*manifest.Document
	delivered := false
	for _, f := range files {
		for _, doc := range f.Docs {
			words, delivers := kinds[doc.Kind()]
			switch {
			case IsConfigMap(doc):
				maps = append(maps, doc)
			case !delivers || !bytes.Contains(doc.Bytes(), []byte(words[0])) || !among(doc):
			case !mayRefer(doc.Bytes()):
				delivered = true
			case doc.Parse() == nil:
				objs = append(objs, objects.Objects(doc)...)
			}
		}
	}
	if len(objs) == 0 && !delivered {
		return nil, nil
	}
	return containing(ctx, maps, gitops.ConfigMaps(objs))
}

// containing returns the documents that contain one of the names.
func containing(ctx context.Context, docs []*manifest.Document, names []string) (found []*manifest.Document, err error) {
	contains := make([]bool, len(docs))
	err = parallel.Do(ctx, len(docs), func(i int) {
		contains[i] = slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(docs[i].Bytes(), []byte(name)) })
	})
	for i, doc := range docs {
		if contains[i] {
			found = append(found, doc)
		}
	}
	return found, err
}

// mayRefer reports whether an object can refer to a ConfigMap: in valuesFrom or substituteFrom, or in a key with escapes. A
// repository can hold thousands of objects that do not.
func mayRefer(text []byte) bool {
	return bytes.Contains(text, []byte("From")) || bytes.IndexByte(text, '\\') >= 0
}

// OfApplications returns what applications apply, or may apply, and what was not checked.
func OfApplications(set *applications.Set) []Problem {
	var problems []Problem
	for _, p := range set.Problems {
		problem := Problem{Position: p.Position, Message: p.Message}
		for _, place := range p.Related {
			problem.Related = append(problem.Related, Place(place))
		}
		problems = append(problems, problem)
	}
	return problems
}
