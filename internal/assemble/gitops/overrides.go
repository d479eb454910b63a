package gitops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// overridePrefix begins the names of the files in the folder of a source that Argo CD merges into the source
// (mergeSourceParameters in reposerver/repository): .argocd-source.yaml for all applications, and .argocd-source-<name>.yaml
// for one.
const overridePrefix = ".argocd-source"

// IsSourceOverride reports whether Argo CD merges a file of this name into the sources of its folder.
func IsSourceOverride(base string) bool {
	return strings.HasPrefix(base, overridePrefix) && strings.HasSuffix(base, ".yaml")
}

// fixedFields are the fields of a source that Argo CD does not take from these files.
var fixedFields = []string{"chart", "path", "repoURL", "targetRevision"}

// withOverrides returns a source with what the files in its folder override.
func (r *reader) withOverrides(a *Application, v view.View) view.View {
	repository := r.repositoryOf(v.Get("repoURL").Text(), a.Object)
	dir, inside := inRepository(repository.Dir, v.Get("path").String())
	if !inside || v.Get("chart").There() || v.Get("path").String() == "" {
		return v
	}
	names := []string{overridePrefix + ".yaml", overridePrefix + "-" + a.Name.Value + ".yaml",
		overridePrefix + "-" + a.Namespace.Value + "_" + a.Name.Value + ".yaml"}
	for _, name := range names {
		file := under(dir, name)
		if !r.files.HasFile(file) || repository.Is == sources.OtherRepository {
			continue
		}
		override, err := r.readOverride(file)
		if err != nil {
			a.addNotChecked(v.Get("path").At(), "%s overrides the source and cannot be read: %v", file, err)
			continue
		}
		v = merged(v, override)
	}
	return v
}

func (r *reader) readOverride(file string) (*objects.Object, error) {
	data, err := r.files.tree.ReadAtMost(file, maxData)
	if err != nil {
		return nil, err
	}
	docs := manifest.Scan(file, data).Docs
	if len(docs) != 1 {
		return nil, fmt.Errorf("it has %d documents instead of one", len(docs))
	}
	if err := docs[0].Parse(); err != nil {
		return nil, err
	}
	return &objects.Object{Doc: docs[0], Node: docs[0].Root, File: file}, nil
}

// merged merges an override into a source, as a JSON merge patch. Its fields are located in the file of the override.
func merged(v view.View, override *objects.Object) view.View {
	fields, _ := override.Node.Decode().(map[string]any)
	patch := map[string]any{}
	for key, value := range fields {
		if !slices.Contains(fixedFields, key) {
			patch[key] = value
		}
	}
	start, locate := len(v.Path), v.Locate
	return view.View{Value: mergePatch(v.Value, patch), Path: v.Path, Locate: func(path manifest.Path) view.Location {
		if inside := path[min(start, len(path)):]; len(inside) > 1 && patch[inside[0]] != nil && override.Node.Lookup(inside) != nil {
			return view.Location{Object: override, Path: inside}
		}
		return locate(path)
	}}
}

// mergePatch returns a value with a JSON merge patch (RFC 7396). It does not change the value.
func mergePatch(value, patch any) any {
	changes, isMapping := patch.(map[string]any)
	if !isMapping {
		return patch
	}
	fields, _ := value.(map[string]any)
	result := map[string]any{}
	for key, old := range fields {
		result[key] = old
	}
	for key, change := range changes {
		if change == nil {
			delete(result, key)
			continue
		}
		result[key] = mergePatch(result[key], change)
	}
	return result
}
