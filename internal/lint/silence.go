package lint

import (
	"slices"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// silence is what the user does not want to hear of, and what is left of the findings that have no fix.
type silencer struct {
	gone map[findingKey]bool
	// known are those of them that the baseline has.
	known map[findingKey]bool
	// others are findings about files, and notes on ignores of no use.
	others []finding.Finding
}

// findingKey tells findings apart: no two say the same about the same place.
type findingKey struct {
	rule, file, path, message string
	line, column              int
}

func keyOf(f finding.Finding) findingKey {
	return findingKey{f.Rule, f.File, f.Path, f.Message, f.Range.Line, f.Range.Column}
}

func (s silencer) silenced(f finding.Finding) bool { return s.gone[keyOf(f)] }

// silence finds out what comments, annotations and the baseline silence.
func (r *run) silence(all []mended) silencer {
	files := r.aboutFiles()
	findings := slices.Clone(files)
	for _, m := range all {
		findings = append(findings, m.Finding)
		if note, ok := r.unfixable(m); ok {
			findings = append(findings, note)
		}
	}
	kept, suppressed, notes := silence.Apply(findings, r.directives(), r.annotations(), silence.Options{
		Now: r.Now, Known: r.registry.Names(), Ran: func(rule string) bool { return r.isEnabled[rule] },
	})
	_, known := r.Baseline.Apply(kept)
	s := silencer{gone: map[findingKey]bool{}, known: map[findingKey]bool{}}
	for _, f := range known {
		s.known[keyOf(f)] = true
	}
	for _, f := range slices.Concat(suppressed, known) {
		s.gone[keyOf(f)] = true
		if f.Rule != ruleUnfixable.name {
			r.outcome.Summary.Suppressed++
		}
	}
	for _, f := range slices.Concat(files, notes) {
		asked := judged{Finding: f, asked: r.Tree.Selected(f.File)}
		if r.isReported(asked) && !s.silenced(f) && r.configure(&f) {
			s.others = append(s.others, f)
		}
	}
	return s
}

// directives are the ignore comments of all files with something of interest, of the files that kustomizations read patches from,
// and of the templates of charts that were rendered.
func (r *run) directives() map[string][]silence.Directive {
	found := map[string][]silence.Directive{}
	add := func(file *manifest.File) {
		if directives := silence.Parse(file); len(directives) > 0 {
			found[file.Path] = directives
		}
	}
	for _, file := range r.library.files {
		add(file)
	}
	for _, file := range slices.Concat(r.patches(), charts.Sources(r.units)) {
		if r.library.files[file.Path] == nil {
			add(file)
		}
	}
	return found
}

// patches are the files that kustomizations change objects by: a patch need not look like an object.
func (r *run) patches() []*manifest.File {
	var files []*manifest.File
	seen := map[string]bool{}
	for _, unit := range r.units {
		for _, claim := range unit.Claims {
			if claim.Content() || seen[claim.File] || !r.library.has(claim.File) {
				continue
			}
			seen[claim.File] = true
			if data := r.source(claim.File); data != nil {
				files = append(files, manifest.Scan(claim.File, data))
			}
		}
	}
	return files
}

// annotations are those that silence rules on their objects.
func (r *run) annotations() []silence.Annotation {
	var found []silence.Annotation
	for _, o := range r.library.objects {
		path := o.At([]string{"metadata", "annotations", silence.AnnotationKey})
		value := o.Doc.Root.Lookup(path)
		if value == nil {
			continue
		}
		a := silence.Annotation{File: o.File, Resource: resourceOf(o), Value: value.String(), Range: rangeOf(o.Doc, path)}
		a.First, _ = o.Doc.File.Position(o.Node.Span.Start)
		a.Last, _ = o.Doc.File.Position(o.Node.Span.End)
		found = append(found, a)
	}
	for _, unit := range r.units {
		for _, o := range unit.Objects {
			if a, ok := appliedAnnotation(unit, o); ok {
				found = append(found, a)
			}
		}
	}
	return found
}

var annotationPath = manifest.Path{"metadata", "annotations", silence.AnnotationKey}

// appliedAnnotation is the annotation that an object was given on its way to the cluster: by a patch, or by a template.
func appliedAnnotation(unit *objects.Unit, o *objects.Object) (a silence.Annotation, ok bool) {
	as := appliedAs(unit, o)
	if as == "" {
		return a, false
	}
	source := sourceOf(o)
	a = silence.Annotation{File: source.File, Resource: source.Resource, Variant: as, Value: ignored(o), First: source.Line, Last: source.Line}
	file, span := o.Locate(annotationPath)
	a.Range, a.Place = rangeIn(file, span), file.Path
	return a, true
}

// appliedAs tells an object apart from others that are made of the same source, when it has an annotation that is not in its file.
func appliedAs(unit *objects.Unit, o *objects.Object) string {
	source := o.Source()
	if o.Applied == nil || ignored(o) == "" || source != nil && ignored(source) == ignored(o) {
		return ""
	}
	return unit.String() + " " + o.Ref()
}

// ignored is the value of the annotation that silences rules.
func ignored(o *objects.Object) string { return o.Node.Lookup(annotationPath).String() }

// sourceOf is what a finding about an applied object says of its source. What a template is rendered to has none but that.
func sourceOf(o *objects.Object) finding.Source {
	source := o.Source()
	if source == nil {
		return finding.Source{Resource: resourceOf(o), File: o.File, Line: 1}
	}
	return finding.Source{Resource: resourceOf(source), File: source.File, Line: source.Position(nil).Line}
}

// rangeOf is where a path of a document stands.
func rangeOf(doc *manifest.Document, path manifest.Path) finding.Range {
	return rangeIn(doc.File, doc.Locate(path))
}

func rangeIn(file *manifest.File, span manifest.Span) finding.Range {
	at := finding.Range{Start: span.Start, End: span.End}
	at.Line, at.Column = file.Position(span.Start)
	at.EndLine, at.EndColumn = file.Position(span.End)
	return at
}

func resourceOf(o *objects.Object) finding.Resource {
	return finding.Resource{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}
