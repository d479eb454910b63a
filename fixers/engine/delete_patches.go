package engine

import (
	"slices"
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// DeletePatches returns the entries of a kustomization that delete one object. Other patches stay: they can be meant for other objects.
func DeletePatches(k *objects.Kustomization, source *objects.Object) []manifest.Path {
	var found []manifest.Path
	add := func(field string, text func(*manifest.Node) *manifest.Node) {
		list := k.Doc.Root.Get(field)
		if !list.IsSequence() {
			return
		}
		for i, item := range list.Items() {
			if target := item.Get("target"); (target == nil || isTargetOf(target, source)) && deletesOnly(text(item).String(), source) {
				found = append(found, manifest.Path{field, strconv.Itoa(i)})
			}
		}
	}
	add("patches", func(item *manifest.Node) *manifest.Node { return item.Get("patch") })
	add("patchesStrategicMerge", func(item *manifest.Node) *manifest.Node { return item })
	return found
}

// isTargetOf reports whether the target of a patch names an object, and selects by nothing else.
func isTargetOf(target *manifest.Node, o *objects.Object) bool {
	if target.Get("kind").String() != o.Kind || target.Get("name").String() != o.Name {
		return false
	}
	return !slices.ContainsFunc(target.Fields(), func(f manifest.Field) bool {
		switch f.Key.String() {
		case "group", "version", "kind", "name":
			return false
		case "namespace":
			return f.Value.String() != o.Namespace
		}
		return true
	})
}

// deletesOnly reports whether the text of a patch deletes an object, and does nothing else.
func deletesOnly(text string, o *objects.Object) bool {
	file := manifest.Scan("", []byte(text))
	if len(file.Docs) != 1 || file.Docs[0].Parse() != nil {
		return false
	}
	root := file.Docs[0].Root
	metadata := root.Get("metadata")
	return root.IsMapping() && len(root.Fields()) == 4 && root.Get("$patch").String() == "delete" &&
		root.Get("apiVersion").String() == o.APIVersion && root.Get("kind").String() == o.Kind &&
		metadata.Get("name").String() == o.Name && (metadata.Get("namespace") == nil || metadata.Get("namespace").String() == o.Namespace)
}
