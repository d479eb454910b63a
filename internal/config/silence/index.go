package silence

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
)

// ignore is a directive or an annotation, and which of its rules have silenced something.
type ignore struct {
	file      string
	resource  finding.Resource // of an annotation
	lines     [2]int           // of an annotation: between which the object stands
	rules     []string
	used      []bool
	directive *Directive // nil for an annotation
	at        finding.Range
}

// silences tells whether the ignore names the rule, and marks what it was that did.
func (i *ignore) silences(rule string) bool {
	silenced := false
	for n, pattern := range i.rules {
		if glob.Rule(pattern, rule) {
			i.used[n], silenced = true, true
		}
	}
	return silenced
}

// index finds the ignores that may speak of a finding.
type index struct {
	all    []*ignore
	lines  map[place][]*ignore
	files  map[string][]*ignore
	object map[object][]*ignore
	// written are annotations by where they stand: one line of a template may give many objects the same.
	written map[written]*ignore
	// spoken are the lines of each file that directives speak of.
	spoken map[string]*lineSet
}

type place struct {
	file string
	line int
}

type object struct {
	file     string
	resource finding.Resource
	as       string
}

type written struct {
	file, value  string
	line, column int
}

func newIndex(directives map[string][]Directive, annotations []Annotation, o Options) *index {
	x := &index{
		lines: map[place][]*ignore{}, files: map[string][]*ignore{}, object: map[object][]*ignore{}, spoken: map[string]*lineSet{},
		written: map[written]*ignore{},
	}
	for file, list := range directives {
		x.spoken[file] = &lineSet{}
		for n := range list {
			x.addDirective(file, &list[n], o)
		}
		x.spoken[file].sort()
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
		x.spoken[file].add(d.Target)
	}
}

func (x *index) addAnnotation(a Annotation) {
	key := object{a.File, a.Resource, a.As}
	at := written{a.place(), a.Value, a.Range.Line, a.Range.Column}
	if i := x.written[at]; i != nil && a.As != "" {
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
	x.all, x.written[at] = append(x.all, i), i
	x.object[key] = append(x.object[key], i)
}

// silences tells whether any ignore takes the finding out. All that do are marked, so that none of them is called
// unused.
func (x *index) silences(f finding.Finding) bool {
	silenced := false
	try := func(list []*ignore) {
		for _, i := range list {
			silenced = i.silences(f.Rule) || silenced
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
				silenced = i.silences(f.Rule) || silenced
			}
		}
	}
	return silenced
}

// annotationsOf are those of an object as its file has it, and of what was made of it.
func (x *index) annotationsOf(about object) []*ignore {
	if about.as == "" {
		return x.object[about]
	}
	return slices.Concat(x.object[object{about.file, about.resource, ""}], x.object[about])
}

// objectOf is the object that a finding is about, as its file has it, and a line of it.
func objectOf(f finding.Finding) (about object, line int) {
	if f.Source.File != "" {
		return object{f.Source.File, f.Source.Resource, f.Source.As}, f.Source.Line
	}
	return object{f.File, f.Resource, ""}, f.Range.Line
}

// linesOf gives the lines on which a directive may speak of the finding: where it begins, or the operation that sets the
// field; of one about an object as a whole, any that it covers.
func (x *index) linesOf(f finding.Finding) func(yield func(int) bool) {
	first, last := f.Range.Line, f.Range.Line
	if f.Begins > 0 {
		first = min(first, f.Begins)
	}
	if f.Path == "" && f.Resource != (finding.Resource{}) {
		last = max(last, f.Range.EndLine)
	}
	return x.spoken[f.File].between(first, last)
}

// lineSet is a set of lines, asked for stretches of them.
type lineSet struct{ lines []int }

func (s *lineSet) add(line int) { s.lines = append(s.lines, line) }

// sort makes the set ready to be asked.
func (s *lineSet) sort() {
	slices.Sort(s.lines)
	s.lines = slices.Compact(s.lines)
}

// between gives the lines from first to last. A set that is nil is empty.
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
