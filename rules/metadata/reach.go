package metadata

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/fixes"
)

// CheckReach returns an error if the hints of a rule leave out its own bad examples: with such hints it would find nothing anywhere. The
// kinds of the rule are those with AddWorkloads.
func (p *File) CheckReach(r *Rule) error {
	if r.Scope == ScopeProgram {
		return nil
	}
	if r.Needs != "" && !r.concernsExtensions() {
		return p.errorf("needs", "custom.needs: only extensions have a bundle, and the rule neither checks nor reads them: remove the hint, or add %s to custom.reads", extensionKind)
	}
	for i, e := range r.Examples {
		if !e.Bad || e.isBuilt() {
			continue
		}
		number := i + 1
		objs, err := exampleObjects(e.Text)
		if err != nil {
			return p.exampleError(number, err.Error())
		}
		if len(objs) == 0 {
			return p.exampleError(number, "it contains no Kubernetes object")
		}
		key, problem := r.leavesOut(objs)
		if problem == "" {
			key, problem = "needs", r.lacks(e)
		}
		if problem != "" {
			return p.errorf(key, "custom.%s: bad example %d: %s", key, number, problem)
		}
	}
	return nil
}

// extensionKind is the only kind of objects that have a bundle.
const extensionKind = "ClusterExtension.olm.operatorframework.io"

// concernsExtensions reports whether a rule checks or reads extensions.
func (r *Rule) concernsExtensions() bool {
	return r.All || slices.Contains(slices.Concat(r.Kinds, r.Reads, r.ReadsAll, slices.Collect(maps.Keys(r.ConnectedTo))), extensionKind)
}

// lacks returns what an example lacks without which the rule is not evaluated; "" if it has it.
func (r *Rule) lacks(e Example) string {
	switch {
	case e.Files != nil:
		return "" // its configuration can name a bundle
	case r.Needs != "" && e.Bundle == "":
		return "it has no bundle, without which the rule is not evaluated: add `bundle`"
	case r.Needs == NeedsBase && e.Base == "":
		return "it has no bundle at the base revision, without which the rule is not evaluated: add `base`"
	}
	return ""
}

// CheckFix returns an error for a fix that can change no object of the rule's kinds: no finding could be fixed. A finding of a rule that
// calls lib.at can be about another object.
func (p *File) CheckFix(r *Rule, pods []objects.PodSpecKind) error {
	if r.Fix.Name == "" || r.All || r.Scope != ScopeObject || bytes.Contains(p.Source, []byte(".at(")) {
		return nil
	}
	embeds := WorkloadKeys(pods)
	problem := fixes.ObjectProblem(r.Fix.Name, r.Fix.Args, r.Kinds, func(kind string) bool { return slices.Contains(embeds, kind) })
	if problem != "" {
		return p.errorf("fix", "custom.fix: it is never made: %s", problem)
	}
	return nil
}

func (p *File) exampleError(number int, problem string) error {
	if p.examplesFile != "" {
		return fmt.Errorf("%s: example %d: %s", p.examplesFile, number, problem)
	}
	return p.errorf("examples", "custom.examples: example %d: %s", number, problem)
}

func exampleObjects(text string) ([]*objects.Object, error) {
	var objs []*objects.Object
	for _, doc := range manifest.Scan("example.yaml", []byte(text)).Docs {
		if err := doc.Parse(); err != nil {
			return nil, err
		}
		objs = append(objs, objects.Objects(doc)...)
	}
	return objs, nil
}

// leavesOut returns the hint with which the rule checks none of the objects of an example, and the problem; both are empty if there is none.
func (r *Rule) leavesOut(objs []*objects.Object) (key, problem string) {
	var checked []*objects.Object
	var has []string
	for _, o := range objs {
		kind := KindKey(o.Kind, o.Group)
		has = words.AddOnce(has, kind)
		if r.All || slices.Contains(r.Kinds, kind) {
			checked = append(checked, o)
		}
	}
	if len(checked) == 0 {
		return "kinds", "it has no object of these kinds, but " + words.And(has) + ": correct the kind"
	}
	if !hasAnyWord(checked, r.Words) {
		return "words", "no document of its kinds has one of the words: a word is a part of the text of the document, in the same case"
	}
	if len(r.ConnectedTo) == 0 || connects(objs, r.ConnectedTo) {
		return "", ""
	}
	return "connected_to", "it has no document of these kinds with one of their words: a word is a part of the text of the document, in the same case"
}

// connects reports whether one of the objects is of a kind in connected_to and its document has one of the words of the kind.
func connects(objs []*objects.Object, kinds map[string][]string) bool {
	for _, o := range objs {
		for kind, list := range kinds {
			if BareKind(kind) == o.Kind && hasAnyWord([]*objects.Object{o}, list) {
				return true
			}
		}
	}
	return false
}

func hasAnyWord(objs []*objects.Object, list []string) bool {
	if len(list) == 0 {
		return true
	}
	return slices.ContainsFunc(objs, func(o *objects.Object) bool {
		data := o.Text().Bytes()
		has := func(word string) bool {
			return bytes.Contains(data, []byte(word)) || bytes.Contains(wordfilter.WithoutEscapes(data), []byte(word))
		}
		return slices.ContainsFunc(list, has)
	})
}
