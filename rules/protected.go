package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/rules/metadata"
)

// ownership is what the policies of a platform own of Rego's data document: a policy of a repository that adds to a package or document of
// theirs would change what their rules find.
type ownership struct{ taken []owned }

// owned is a path in the data document, with a slash after each step, and the file that owns it.
type owned struct{ path, file string }

func (o *ownership) add(files []*metadata.File, documents []metadata.Document) {
	o.taken = append(o.taken, pathsOf(files, documents)...)
}

// check returns an error for files that add to what others own. Two rules are neighbors, and own nothing of each other.
func (o *ownership) check(files []*metadata.File, documents []metadata.Document) error {
	for _, own := range pathsOf(files, documents) {
		for _, other := range o.taken {
			if strings.HasPrefix(own.path, other.path) || strings.HasPrefix(other.path, own.path) {
				return fmt.Errorf("%s: %s is part of the platform's policies (%s), which the policies of a repository cannot change: choose another name",
					own.file, strings.ReplaceAll(strings.TrimSuffix(own.path, "/"), "/", "."), other.file)
			}
		}
	}
	return nil
}

func pathsOf(files []*metadata.File, documents []metadata.Document) []owned {
	var all []owned
	for _, f := range files {
		if !f.IsTest() {
			all = append(all, owned{strings.ReplaceAll(strings.TrimPrefix(f.Package, "data."), ".", "/") + "/", f.Name})
		}
	}
	for _, d := range documents {
		var content map[string]any
		if yaml.Unmarshal(d.Source, &content) != nil {
			continue // an error of the policies, which is reported with its place
		}
		for _, key := range slices.Sorted(maps.Keys(content)) {
			all = append(all, owned{strings.Join(append(slices.Clone(d.Path), key), "/") + "/", d.Name})
		}
	}
	return all
}
