package states

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"reflect"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// decidesNothing reports whether what changed in a file, which a unit reads that cannot be built, certainly decides about no power: a manifest of other
// objects than those that are compared, or the lists of a kustomization. Text is nil for a removed file.
func (c *contents) decidesNothing(file string, text []byte) bool {
	was, _ := c.before.Text(file) // nil for a new file
	switch {
	case !repo.IsManifest(file), text == nil && was == nil:
		return false
	case objects.IsKustomizationFile(file):
		return c.onlyLists(file, text, was)
	}
	return c.isOfObjects(file, text) && c.isOfObjects(file, was) && !c.hasNew(file, text, was) && (c.isListed(file) || !c.hasNew(file, was, text))
}

// isOfObjects reports whether a file has only objects: what has no kind can be values, or a patch in the form of JSON, and a template can be anything.
func (c *contents) isOfObjects(file string, text []byte) bool {
	return !bytes.Contains(text, []byte("{{")) && !slices.ContainsFunc(manifest.Scan(file, text).Docs, func(doc *manifest.Document) bool {
		return doc.Parse() != nil || doc.Root != nil && (doc.Kind() == "" || manifest.IsContainer(doc.Kind()))
	})
}

// isListed reports whether a file was applied as a list of objects, and never read in another way: without it, no one has more. A patch that is gone can
// have taken power away.
func (c *contents) isListed(file string) bool {
	readAsPatch := slices.ContainsFunc(c.before.Units, func(u *objects.Unit) bool {
		return slices.ContainsFunc(u.NonObjectInputs, func(input objects.NonObjectInput) bool { return input.Covers(file) })
	})
	return !readAsPatch && slices.ContainsFunc(c.before.Units, func(u *objects.Unit) bool { return lists(u, file) })
}

// onlyLists reports whether a kustomization only lists less than before, or in addition only what is new as well, and whether nothing else in it changed
// but images and replicas.
func (c *contents) onlyLists(file string, text, was []byte) bool {
	then, now := kustomizationIn(file, was), kustomizationIn(file, text)
	switch {
	case was != nil && then == nil, text != nil && now == nil, then != nil && then.IsComponent(), now != nil && now.IsComponent():
		return false
	case now == nil:
		return true // and with it all that it applied
	case then == nil:
		return len(restOf(now)) == 0 && !slices.ContainsFunc(now.Resources, c.existed)
	}
	added := func(e objects.Entry) bool {
		return !slices.ContainsFunc(then.Resources, func(old objects.Entry) bool { return old.Target == e.Target })
	}
	return reflect.DeepEqual(restOf(then), restOf(now)) && !slices.ContainsFunc(now.Resources, func(e objects.Entry) bool { return added(e) && c.existed(e) })
}

// existed reports whether the earlier state had what an entry lists, or may have had it.
func (c *contents) existed(e objects.Entry) bool {
	_, noFolder := c.before.Files().ReadDir(e.Target)
	_, noFile := c.before.Files().ReadFile(e.Target)
	return e.Remote() || !errors.Is(noFolder, fs.ErrNotExist) || !errors.Is(noFile, fs.ErrNotExist)
}

// restOf returns the fields of a kustomization that decide what becomes of what it lists.
func restOf(k *objects.Kustomization) map[string]any {
	root, _ := k.Doc.Root.Decode().(map[string]any)
	rest := maps.Clone(root)
	for _, name := range []string{"apiVersion", "kind", "metadata", "resources", "images", "replicas"} {
		delete(rest, name)
	}
	return rest
}

// kustomizationIn returns the kustomization that a text is; nil if it is none.
func kustomizationIn(file string, text []byte) *objects.Kustomization {
	docs := manifest.Scan(file, text).Docs
	if len(docs) != 1 || docs[0].Parse() != nil {
		return nil
	}
	k, err := objects.ReadKustomization(docs[0])
	if err != nil {
		return nil
	}
	return k
}
