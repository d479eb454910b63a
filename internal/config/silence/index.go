package silence

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/glob"
)

// ignore is a directive or an annotation, with a mark for each of its rules that has silenced a finding.
type ignore struct {
	file      string
	resource  finding.Resource // the object of an annotation
	lines     [2]int           // the first and last line of an annotation's object
	rules     []string
	used      []bool
	directive *Directive // nil for an annotation
	at        finding.Range
	// over is the limit because of which it does not silence some findings, and overCount their number.
	over      *settings.IgnoreLimit
	overCount int
}

// silences returns whether the ignore names the rule, and marks the patterns that match.
func (i *ignore) silences(rule string) bool {
	silenced := false
	for n, pattern := range i.rules {
		if glob.Rule(pattern, rule) {
			i.used[n], silenced = true, true
		}
	}
	return silenced
}

// suppression describes the ignore.
func (i *ignore) suppression() *finding.Suppression {
	s := &finding.Suppression{By: finding.ByAnnotation, File: i.file, Line: i.at.Line}
	if i.directive != nil {
		s.By, s.Until, s.Reason = finding.ByComment, i.directive.Until, i.directive.Reason
	}
	return s
}

// index finds the ignores that can apply to a finding.
type index struct {
	all    []*ignore
	lines  map[place][]*ignore
	files  map[string][]*ignore
	object map[object][]*ignore
	// byPlace are annotations by their position: one line of a template can give the same annotation to many objects.
	byPlace map[annotationPlace]*ignore
	// targets are the lines of each file that directives apply to.
	targets map[string]*lineSet
}

type place struct {
	file string
	line int
}

type object struct {
	file     string
	resource finding.Resource
	variant  string
}

type annotationPlace struct {
	file, value  string
	line, column int
}

func newIndex(directives map[string][]Directive, annotations []Annotation, o Options) *index {
	x := &index{
		lines: map[place][]*ignore{}, files: map[string][]*ignore{}, object: map[object][]*ignore{}, targets: map[string]*lineSet{},
		byPlace: map[annotationPlace]*ignore{},
	}
	for file, list := range directives {
		x.targets[file] = &lineSet{}
		for n := range list {
			x.addDirective(file, &list[n], o)
		}
		x.targets[file].sort()
	}
	for _, a := range annotations {
		x.addAnnotation(a)
	}
	return x
}

func (x *index) addDirective(file string, d *Directive, o Options) {
	i := &ignore{file: file, rules: d.Rules, used: make([]bool, len(d.Rules)), directive: d, at: d.Range}
	x.all = append(x.all, i)
	switch {
	case d.Problem != "" || d.expired(o.Now):
	case d.WholeFile:
		x.files[file] = append(x.files[file], i)
	case d.Target > 0:
		at := place{file, d.Target}
		x.lines[at] = append(x.lines[at], i)
		x.targets[file].add(d.Target)
	}
}

func (x *index) addAnnotation(a Annotation) {
	key := object{a.File, a.Resource, a.Variant}
	at := annotationPlace{a.place(), a.Value, a.Range.Line, a.Range.Column}
	if i := x.byPlace[at]; i != nil && a.Variant != "" {
		x.object[key] = append(x.object[key], i)
		return
	}
	i := &ignore{file: a.place(), resource: a.Resource, lines: [2]int{a.First, a.Last}, at: a.Range}
	for name := range strings.SplitSeq(a.Value[:min(len(a.Value), maxText)], ",") {
		if name = strings.TrimSpace(name); name != "" {
			i.rules = append(i.rules, name)
		}
	}
	i.used = make([]bool, len(i.rules))
	x.all, x.byPlace[at] = append(x.all, i), i
	x.object[key] = append(x.object[key], i)
}

// silences returns the first ignore that applies to the finding; nil if there is none. All ignores that apply are marked, so that
// none of them is reported as unused.
func (x *index) silences(f finding.Finding) (first *ignore) {
	mark := func(i *ignore) {
		if i.silences(f.Rule) && first == nil {
			first = i
		}
	}
	try := func(list []*ignore) {
		for _, i := range list {
			mark(i)
		}
	}
	try(x.files[f.File])
	for line := range x.linesOf(f) {
		try(x.lines[place{f.File, line}])
	}
	if f.Resource != (finding.Resource{}) {
		about, line := objectOf(f)
		for _, i := range x.annotationsOf(about) {
			if i.lines[0] <= line && line <= i.lines[1] {
				mark(i)
			}
		}
	}
	return first
}

// annotationsOf returns the annotations of an object as written in its file, and of the variants made from it.
func (x *index) annotationsOf(about object) []*ignore {
	if about.variant == "" {
		return x.object[about]
	}
	return slices.Concat(x.object[object{about.file, about.resource, ""}], x.object[about])
}

// objectOf returns the object of a finding as written in its file, and a line of it.
func objectOf(f finding.Finding) (about object, line int) {
	if f.Source.File != "" {
		return object{f.Source.File, f.Source.Resource, f.Source.Variant}, f.Source.Line
	}
	return object{f.File, f.Resource, ""}, f.Range.Line
}

// linesOf returns the lines on which a directive applies to the finding: the line where it begins, or the patch operation
// that sets the field. For a finding about a whole object these are all lines that it covers.
func (x *index) linesOf(f finding.Finding) func(yield func(int) bool) {
	first, last := f.Range.Line, f.Range.Line
	if f.PatchLine > 0 {
		first = min(first, f.PatchLine)
	}
	if f.Path == "" && f.Resource != (finding.Resource{}) {
		last = max(last, f.Range.EndLine)
	}
	return x.targets[f.File].between(first, last)
}

// lineSet is a set of lines that returns ranges of its lines.
type lineSet struct{ lines []int }

func (s *lineSet) add(line int) { s.lines = append(s.lines, line) }

// sort must be called after the last add and before between.
func (s *lineSet) sort() {
	slices.Sort(s.lines)
	s.lines = slices.Compact(s.lines)
}

// between returns the lines from first to last. A nil set is empty.
func (s *lineSet) between(first, last int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if s == nil {
			return
		}
		from, _ := slices.BinarySearch(s.lines, first)
		for _, line := range s.lines[from:] {
			if line > last || !yield(line) {
				return
			}
		}
	}
}
