package engine

import (
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// CheckEmbedded refuses to edit an object inside of another one if its text is not in a file.
func CheckEmbedded(o *objects.Object) error {
	switch {
	case o.Embedding == nil:
		return nil
	case !o.InFile():
		return RefuseTemplate(o, nil, "change it there by hand")
	case o.Source() == nil:
		return Refuse("%s is inside %s, whose file has another manifest at that place: change it where it is set by hand",
			NameOf(o), o.Embedding.Title())
	}
	return nil
}

// RefuseRemoval refuses to remove an object from the one that holds it, and returns how a person removes it from the cluster.
func RefuseRemoval(o *objects.Object) error {
	return Refuse("%s is inside %s, from which no object is removed: %s", NameOf(o), o.Embedding.Title(), o.Embedding.Removal(false))
}

// LimitEmbedded limits a plan for an object inside of another one to the manifest of the object, and declares the changes of the outer
// object. Nothing is added there or removed: which controller applies a new object, and what it does with a removed one, differs
// between kinds.
func (c *Context) LimitEmbedded(p *Plan, o *objects.Object) error {
	if o.Embedding == nil {
		return nil
	}
	switch {
	case len(p.Documents)+len(p.Texts)+len(p.Added) > 0:
		return Refuse("%s is inside %s, and the fix requires further objects in the same place: add them to %s by hand",
			NameOf(o), o.Embedding.Title(), o.Embedding.Title())
	case slices.ContainsFunc(p.Changes, func(change Change) bool { return change.Op == RemoveValue && slices.Equal(change.Path, o.Path) }):
		return RefuseRemoval(o)
	case slices.ContainsFunc(p.Changes, func(change Change) bool { return !isInside(change, o) }):
		return Refuse("%s is inside %s, and the fix also changes what is outside of its manifest: make the change by hand",
			NameOf(o), o.Embedding.Title())
	}
	for _, change := range p.Changes {
		if at := o.Embedding.WrittenBack(manifest.Path(change.Path[len(o.Path):])); at != nil {
			return Refuse("%s is inside %s, and %s at %s writes the field again: remove both by hand",
				NameOf(o), o.Embedding.Title(), at, o.Embedding.Holder.Position(at))
		}
	}
	if at := postRendererOf(o); at != nil {
		return Refuse("%s is inside %s, and the postRenderer at %s can change it after it is rendered: make the change by hand",
			NameOf(o), o.Embedding.Title(), o.Embedding.Outer.Position(at))
	}
	c.declareOuter(p)
	if why := o.Embedding.Keeps; why != "" && slices.ContainsFunc(p.Changes, removes) {
		p.AddNote("%s on the cluster keeps %s: %s. Remove it there with `kubectl patch`", NameOf(o), removedFields(p, o), why)
		if len(p.Switches) > 0 {
			p.Kind = finding.Unsafe
		}
	}
	return nil
}

// postRendererOf returns the path of the first postRenderer of a HelmRelease of Flux whose values hold an object, or nil. Its patches
// are applied to what the chart renders from the values, which is unknown for a chart that is not in the repository.
func postRendererOf(o *objects.Object) manifest.Path {
	first := manifest.Path{"spec", "postRenderers", "0"}
	if outer := o.Embedding.Outer; outer.Kind == "HelmRelease" && outer.Node.Lookup(first) != nil {
		return first
	}
	return nil
}

// isInside reports whether a change is made to fields of an object.
func isInside(change Change, o *objects.Object) bool {
	return change.File == o.File && change.Document == o.Doc.Index && len(change.Path) > len(o.Path) &&
		slices.Equal(change.Path[:len(o.Path)], o.Path)
}

func removes(change Change) bool { return change.Op == RemoveValue }

func removedFields(p *Plan, o *objects.Object) string {
	var fields []string
	for _, change := range p.Changes {
		if removes(change) {
			fields = append(fields, manifest.Path(change.Path[len(o.Path):]).String())
		}
	}
	return ShortList(fields, "fields")
}

// declareOuter declares the changes of embedded objects as changes of the objects that hold them.
func (c *Context) declareOuter(p *Plan) {
	for _, change := range slices.Clone(p.Applied) {
		for e := change.Object.Embedding; e != nil; e = change.Object.Embedding {
			inside := change.Object.Path[len(e.Holder.Path):]
			change.Path, change.Object = inside.Join(change.Path...), e.Holder
			if e.Holder == e.Outer {
				change.Unit = change.Unit.AppliedBy()
			}
			p.Applied = append(p.Applied, change)
		}
	}
}
