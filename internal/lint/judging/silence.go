package judging

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Silenced knows the findings that comments, annotations and the baseline silence.
type Silenced struct {
	gone map[finding.Identity]bool
	// known are the silenced findings that the baseline has.
	known map[finding.Identity]bool
	// Others are the findings about files that are not silenced, and notes on ignore comments without effect.
	Others []finding.Finding
}

// NewSilenced returns the silenced findings of two lists: those that comments and annotations silence, and those that the baseline has.
func NewSilenced(suppressed, known []finding.Finding) Silenced {
	s := Silenced{gone: map[finding.Identity]bool{}, known: map[finding.Identity]bool{}}
	for _, f := range known {
		s.known[f.Shown()] = true
	}
	for _, f := range slices.Concat(suppressed, known) {
		s.gone[f.Shown()] = true
	}
	return s
}

// Has reports whether a finding is silenced.
func (s Silenced) Has(f finding.Finding) bool { return s.gone[f.Shown()] }

// Known reports whether a finding is silenced by the baseline.
func (s Silenced) Known(f finding.Finding) bool { return s.known[f.Shown()] }

// Silence applies comments, annotations and the baseline to the findings about files, and to others.
func (r *Report) Silence(others []finding.Finding) Silenced {
	files := slices.Concat(r.fileFindings(), r.ofBytes())
	suppressed, known, notes := r.silencedOf(slices.Concat(files, others))
	s := NewSilenced(suppressed, known)
	for _, f := range slices.Concat(suppressed, known) {
		if f.Rule != finding.RuleUnfixable.Name {
			r.result.Suppressed = append(r.result.Suppressed, f)
		}
	}
	for _, f := range slices.Concat(files, notes, r.useBaseline(known)) {
		asked := Finding{Finding: f, Selected: r.snapshot.Selected(f.File)}
		if r.Reports(asked) && !s.Has(f) && r.Configure(&f) {
			s.Others = append(s.Others, f)
		}
	}
	return s
}

// silencedOf returns which of the findings comments and annotations silence, which the baseline has, and notes about comments, annotations, and the
// baseline.
func (r *Report) silencedOf(findings []finding.Finding) (suppressed, known, notes []finding.Finding) {
	allowance := silence.NewAllowance(r.options.Config.IgnoreLimits())
	kept, suppressed, notes := silence.Apply(findings, r.directives(), r.annotations(), silence.Options{
		Now: r.options.Now, Allowance: allowance, Known: r.options.Registry.Names(), Ran: func(rule string) bool { return r.options.Severities.enabled[rule] },
	})
	if r.options.Baseline != nil {
		r.options.Baseline.IsGone = r.isGone
	}
	_, known = r.options.Baseline.Apply(r.withSeverities(kept))
	known, beyond := allowance.Allowed(known, r.options.BaselineFile)
	return suppressed, known, append(notes, beyond...)
}

// isGone reports whether a file does not exist, also if the checkout has only a part of the files.
func (r *Report) isGone(file string) bool {
	_, err := r.snapshot.Tree.Text(file)
	return errors.Is(err, fs.ErrNotExist) && !r.snapshot.Tree.LacksFile(file)
}

// withSeverities sets the configured severities of findings. Those of rules that are off keep theirs: they are dropped later.
func (r *Report) withSeverities(findings []finding.Finding) []finding.Finding {
	for i, f := range findings {
		if r.Configure(&f) {
			findings[i] = f
		}
	}
	return findings
}

// directives returns the ignore comments of all files with a parsed document, of the files from which kustomizations read patches,
// of the templates that were rendered, and of texts with findings.
func (r *Report) directives() map[string][]silence.Directive {
	found := map[string][]silence.Directive{}
	add := func(file *manifest.File) {
		if directives := silence.Parse(file); len(directives) > 0 {
			found[file.Path] = directives
		}
	}
	for _, file := range r.snapshot.Collection.Files {
		add(file)
	}
	for _, file := range slices.Concat(r.patches(), charts.Sources(r.snapshot.Units)) {
		if r.snapshot.Collection.Files[file.Path] == nil {
			add(file)
		}
	}
	for _, file := range r.snapshot.TokenTexts.Files() {
		if r.snapshot.Collection.Files[file.Path] == nil {
			add(file)
		}
	}
	return found
}

// patches returns the files with patches of kustomizations. A patch need not look like an object.
func (r *Report) patches() []*manifest.File {
	var files []*manifest.File
	seen := map[string]bool{}
	for _, unit := range r.snapshot.Units {
		for _, input := range unit.NonObjectInputs {
			if input.Content() || seen[input.File] || !r.snapshot.Collection.Has(input.File) {
				continue
			}
			seen[input.File] = true
			if data := r.source(input.File); data != nil {
				files = append(files, manifest.Scan(input.File, data))
			}
		}
	}
	return files
}

// annotations returns the annotations that silence rules on their objects.
func (r *Report) annotations() []silence.Annotation {
	var found []silence.Annotation
	for _, o := range r.snapshot.Parsed.Objects {
		path := o.At([]string{"metadata", "annotations", silence.AnnotationKey})
		value := o.Doc.Root.Lookup(path)
		if value == nil {
			continue
		}
		a := silence.Annotation{File: o.File, Resource: finding.ResourceOf(o), Value: value.String(), Range: finding.RangeOf(o.Doc, path)}
		a.First, _ = o.Doc.File.Position(o.Node.Span().Start)
		a.Last, _ = o.Doc.File.Position(o.Node.Span().End)
		found = append(found, a)
	}
	for _, unit := range r.snapshot.Units {
		for _, o := range unit.Objects {
			if a, ok := appliedAnnotation(unit, o); ok {
				found = append(found, a)
			}
		}
	}
	return found
}

var annotationPath = manifest.Path{"metadata", "annotations", silence.AnnotationKey}

// appliedAnnotation returns the annotation that a patch or a template adds to an object.
func appliedAnnotation(unit *objects.Unit, o *objects.Object) (a silence.Annotation, ok bool) {
	as := appliedAs(unit, o)
	if as == "" {
		return a, false
	}
	source := sourceOf(o)
	a = silence.Annotation{File: source.File, Resource: source.Resource, Variant: as, Value: ignored(o), First: source.Line, Last: source.Line}
	file, span := o.Locate(annotationPath)
	a.Range, a.Place = finding.RangeIn(file, span), file.Path
	return a, true
}

// appliedAs returns what distinguishes an object from others with the same source, if it has an annotation that is not in its
// file; otherwise "".
func appliedAs(unit *objects.Unit, o *objects.Object) string {
	source := o.Source()
	if o.Applied == nil || ignored(o) == "" || source != nil && ignored(source) == ignored(o) {
		return ""
	}
	return unit.String() + " " + o.Ref()
}

// ignored returns the value of the annotation that silences rules.
func ignored(o *objects.Object) string { return o.Node.Lookup(annotationPath).String() }

// sourceOf returns the source of an applied object. The source of a rendered object is the object itself.
func sourceOf(o *objects.Object) finding.Source {
	source := o.Source()
	if source == nil {
		return finding.Source{Resource: finding.ResourceOf(o), File: o.File, Line: 1}
	}
	return finding.Source{Resource: finding.ResourceOf(source), File: source.File, Line: source.Position(nil).Line}
}
