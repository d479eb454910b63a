package objects

import (
	"bytes"
	"slices"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// metadataFields are the fields of a kustomization that change only labels, annotations, images and replicas, and those that generate
// objects. None of them changes which account, role or Secret an object names.
var metadataFields = []string{
	"commonLabels", "labels", "commonAnnotations", "buildMetadata", "images", "imageTags", "replicas", "configMapGenerator", "secretGenerator",
}

// patchFields are the fields of a kustomization whose entries change objects of one kind, or of those that their patches name.
var patchFields = []string{"patches", "patchesStrategicMerge", "patchesJson6902"}

// PatchedKinds returns the kinds of the objects that the kustomization itself changes, apart from what metadataFields change, and from
// what its components do. It is not certain if a field can change objects of any kind, or if a patch does not show its kinds. The function
// returns the content of a file that patches are in; nil if it is not known.
func (k *Kustomization) PatchedKinds(read func(file string) []byte) (kinds []string, certain bool) {
	for _, t := range k.Transforms {
		if t.Field != "components" && !slices.Contains(patchFields, t.Field) && !slices.Contains(metadataFields, t.Field) {
			return nil, false
		}
	}
	if k.labelsAddPaths() {
		return nil, false
	}
	kinds, certain = k.kindsOfPatches(read)
	return kinds, certain && !renames(kinds)
}

// labelsAddPaths reports whether `labels` adds its own paths (fields), which can be anywhere in an object.
func (k *Kustomization) labelsAddPaths() bool {
	return slices.ContainsFunc(Items(anyCase(k.Doc.Root, "labels")), func(label *manifest.Node) bool { return !IsEmpty(anyCase(label, "fields")) })
}

// kindsOfPatches returns the kinds of the objects that the patches change.
func (k *Kustomization) kindsOfPatches(read func(file string) []byte) (kinds []string, certain bool) {
	if len(k.Problems) > 0 {
		return nil, false
	}
	for _, field := range k.Doc.Root.Fields() {
		name := KustomizationField(field.Key.String())
		if !slices.Contains(patchFields, name) || IsEmpty(field.Value) {
			continue
		}
		if name != field.Key.String() || !field.Value.IsSequence() {
			return nil, false
		}
		for _, item := range Items(field.Value) {
			of, ok := k.kindsOfPatch(item, read)
			if !ok {
				return nil, false
			}
			kinds = append(kinds, of...)
		}
	}
	return kinds, true
}

// renames reports whether objects of the kinds are named in others, which kustomize changes with them: only those matter whose names
// rules look up.
func renames(kinds []string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return kind == "ServiceAccount" || kind == "Role" || kind == "ClusterRole" })
}

// kindsOfPatch returns the kinds of the objects that an entry changes: that of its target, or those in the patch.
func (k *Kustomization) kindsOfPatch(entry *manifest.Node, read func(string) []byte) (kinds []string, certain bool) {
	if text := entry.String(); text != "" {
		return k.kindsInPatch(text, read)
	}
	if !hasOnly(entry, "patch", "path", "target", "options") {
		return nil, false
	}
	if target := entry.Get("target"); target != nil {
		kind := target.Get("kind").String()
		return []string{kind}, hasOnly(target, "group", "version", "kind", "name", "namespace", "labelSelector", "annotationSelector") && kindWord().MatchString(kind)
	}
	patch, file := entry.Get("patch").String(), entry.Get("path").String()
	switch {
	case patch != "" && file == "":
		return kindsIn([]byte(patch))
	case patch == "" && file != "":
		return k.kindsInPatch(file, read)
	}
	return nil, false
}

// kindWord matches a kind that is no regular expression: kustomize reads the kind of a target as one.
var kindWord = lazyregexp.New(`^[A-Za-z]+$`)

func hasOnly(n *manifest.Node, keys ...string) bool {
	if !n.IsMapping() {
		return false
	}
	return !slices.ContainsFunc(n.Fields(), func(f manifest.Field) bool { return !slices.Contains(keys, f.Key.String()) })
}

// kindsInPatch returns the kinds of a patch: the text itself, or the name of its file.
func (k *Kustomization) kindsInPatch(text string, read func(string) []byte) (kinds []string, certain bool) {
	if bytes.ContainsRune([]byte(text), '\n') {
		return kindsIn([]byte(text))
	}
	data := read(k.resolve(text))
	if data == nil {
		return nil, false
	}
	return kindsIn(data)
}

// kindsIn returns the kinds of the documents of a patch, as their bytes show them.
func kindsIn(patch []byte) (kinds []string, certain bool) {
	for _, doc := range manifest.Scan("", patch).Docs {
		kind := doc.Kind()
		if kind == "" || manifest.IsContainer(kind) {
			return nil, false
		}
		kinds = append(kinds, kind)
	}
	return kinds, len(kinds) > 0
}
