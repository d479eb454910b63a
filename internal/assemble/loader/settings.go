package loader

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/prefilter"
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
			case !delivers || !among(doc) || !bytes.Contains(doc.Bytes(), []byte(words[0])):
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
	names := gitops.ConfigMaps(objs)
	chosen := make([]bool, len(maps))
	err := parallel.Do(ctx, len(maps), func(i int) { chosen[i] = mayBeNamed(maps[i], names) })
	var found []*manifest.Document
	for i, doc := range maps {
		if chosen[i] {
			found = append(found, doc)
		}
	}
	return found, err
}

// mayBeNamed reports whether a ConfigMap may have one of some names, with a prefix or suffix.
func mayBeNamed(doc *manifest.Document, names []string) bool {
	text := doc.Bytes()
	if !slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(text, []byte(name)) }) {
		return false
	}
	facts, plain := prefilter.Read(doc)
	return !plain || facts.Name == "" || slices.ContainsFunc(names, func(name string) bool { return strings.Contains(facts.Name, name) })
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
