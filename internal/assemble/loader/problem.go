package loader

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// Problem is a place that could hold objects of interest and was not read, or not in the form in which it is applied.
type Problem struct {
	// Invalid means that the content is broken, or that reading the file failed. Otherwise it cannot be read without information that is missing here.
	Invalid bool
	// NotDelivered means that Flux or Argo CD certainly fails to apply a unit for this reason.
	NotDelivered bool
	Position     objects.Position
	// Offset is the position in bytes, 0 if it is not known.
	Offset  int
	Message string
	// Related are other places with the same problem.
	Related []Place
}

// Place is a position with a message about it.
type Place struct {
	Position objects.Position
	Message  string
}

func (p Problem) String() string { return p.Position.String() + ": " + p.Message }

// fileProblem returns a problem with a whole file.
func fileProblem(file, message string) Problem {
	return Problem{Position: objects.Position{File: file, Line: 1, Column: 1}, Message: message}
}

// pointer begins a file of Git LFS of which only the pointer is here (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md).
const pointer = "version https://git-lfs.github.com/spec/"

// noManifest reports whether a file is not text, is UTF-16, or is a pointer of Git LFS; p is what is reported about it.
func noManifest(file repo.File) (p Problem, found bool) {
	if bytes.HasPrefix(file.Data, []byte(pointer)) {
		return fileProblem(file.Path, "a pointer of Git LFS, so the contents were not checked: run `git lfs pull`"), true
	}
	at := bytes.IndexByte(file.Data, 0)
	if at < 0 {
		return p, false
	}
	message := "not text: it has a zero byte here, so the file was not checked"
	if bytes.HasPrefix(file.Data, []byte("\xff\xfe")) || bytes.HasPrefix(file.Data, []byte("\xfe\xff")) {
		message, at = "text in UTF-16, so the file was not checked: save it as UTF-8", 0
	}
	p = Problem{Invalid: true, Offset: at, Message: message, Position: objects.Position{File: file.Path}}
	p.Position.Line, p.Position.Column = (&manifest.File{Path: file.Path, Data: file.Data}).Position(at)
	return p, true
}

// The beginnings of the messages about documents that could not be parsed.
const (
	isTemplate = "a template, which is not YAML before it is rendered, was not checked: "
	isInvalid  = "not valid YAML, so the document was not checked: "
	hasTooMuch = "the document was not checked: "
)

// WhyNotParsed are the beginnings of the messages about documents that could not be parsed. A file can have many of them.
var WhyNotParsed = []string{isTemplate, isInvalid, hasTooMuch}

// unparsable returns the problem of a document that is not YAML. One with placeholders of a template engine is not invalid:
// it becomes YAML when it is rendered.
func unparsable(doc *manifest.Document, err error) Problem {
	var syntax *manifest.SyntaxError
	if !errors.As(err, &syntax) {
		syntax = &manifest.SyntaxError{Line: 1, Column: 1, Message: err.Error()}
	}
	at := objects.Position{File: doc.File.Path, Line: syntax.Line, Column: syntax.Column}
	if syntax.Limit {
		return Problem{Invalid: true, Position: at, Message: syntax.Message}
	}
	if bytes.Contains(doc.Bytes(), []byte("{{")) || bytes.Contains(doc.Bytes(), []byte("{%")) {
		return Problem{Position: at,
			Message: isTemplate + syntax.Message}
	}
	return Problem{Invalid: !isOtherYAML(doc), Position: at, Message: isInvalid + syntax.Message}
}

// tooManyAliases returns the problem of a document with aliases after those of other documents have used up maxExpansion.
func tooManyAliases(doc *manifest.Document) Problem {
	p := Problem{Invalid: true, Offset: doc.Span.Start, Message: hasTooMuch + fmt.Sprintf(
		"aliases stand for more than %dk values in the files up to this one; write out the values",
		maxExpansion/1000)}
	p.Position.File = doc.File.Path
	p.Position.Line, p.Position.Column = doc.File.Position(doc.Span.Start)
	return p
}

func problemOf(p objects.Problem) Problem {
	return Problem{Position: p.Position, Message: p.Message, NotDelivered: p.NotDelivered}
}

// OfUnit returns what of a unit was not checked in the form in which it is applied.
func OfUnit(unit *objects.Unit) []Problem {
	var problems []Problem
	for _, p := range unit.Problems {
		problems = append(problems, problemOf(p))
	}
	for _, entry := range unit.Remotes {
		problems = append(problems, Problem{Position: entry.Position,
			Message: fmt.Sprintf("%s is remote and was not checked", entry.Value)})
	}
	if p, changed := Transformed(unit); changed && !unit.NotBuilt {
		problems = append(problems, p)
	}
	return problems
}

// creators are the fields of kustomizations that create objects which no file contains.
var creators = []string{"generators", "transformers", "helmCharts", "helmChartInflationGenerator", "replacements", "components", "patches"}

func createsObjects(unit *objects.Unit) bool {
	return slices.ContainsFunc(unit.Transforms, func(t objects.Transform) bool { return slices.Contains(creators, t.Field) })
}

// OfUnit returns what the function OfUnit returns. It adds a problem for a unit without objects whose kustomization changes or
// creates objects, if the unit has bindings that were not parsed: after the build they may have the names in question.
func (w *Repository) OfUnit(unit *objects.Unit) []Problem {
	problems := OfUnit(unit)
	if len(unit.Objects) == 0 && (w.MayGrant(unit) || createsObjects(unit)) {
		if p, changed := transformed(unit); changed && !unit.NotBuilt {
			problems = append(problems, p)
		}
	}
	return problems
}

// Transformed reports whether the objects of a unit were read from their files although a kustomization changes them, because
// the unit was not built.
func Transformed(unit *objects.Unit) (p Problem, changed bool) {
	if len(unit.Objects) == 0 {
		return p, false
	}
	return transformed(unit)
}

func transformed(unit *objects.Unit) (p Problem, changed bool) {
	switch {
	case unit.NotBuilt && len(unit.Problems) > 0:
		last := unit.Problems[len(unit.Problems)-1] // it has the reason
		return problemOf(last), true
	case unit.Built || unit.Deferred() || len(unit.Transforms) == 0:
		return p, false
	}
	var fields []string
	for _, t := range unit.Transforms {
		if !slices.Contains(fields, t.Field) {
			fields = append(fields, t.Field)
		}
	}
	p = Problem{
		Position: unit.Transforms[0].Position,
		Message: fmt.Sprintf("not built: the objects of %s were checked as they stand in their files, not as %s makes them",
			unit.Name, strings.Join(fields, ", ")),
	}
	for _, t := range unit.Transforms[1:] {
		p.Related = append(p.Related, Place{t.Position, t.Field})
	}
	return p, true
}

// Finding returns the problem as a finding of the program.
func (p Problem) Finding() finding.Finding {
	rule := finding.RuleNotChecked
	switch {
	case p.Invalid:
		rule = finding.RuleUnparsable
	case p.NotDelivered:
		rule = finding.RuleNotDelivered
	}
	f := finding.AboutFile(rule, p.Position.File, finding.Range{
		Line: p.Position.Line, Column: p.Position.Column, Start: p.Offset, End: p.Offset,
	}, p.Message)
	for _, place := range p.Related {
		f.Related = append(f.Related, finding.Related{File: place.Position.File, Line: place.Position.Line, Message: place.Message})
	}
	return f
}
