package loader

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// Problem is something that could have held objects of interest and was not read, or not as it is applied.
type Problem struct {
	// Invalid tells that what stands there is broken; otherwise it is nothing that can be read without more knowledge.
	Invalid bool
	// Unreadable tells that reading the file failed.
	Unreadable bool
	Position   objects.Position
	// Offset is the place in bytes where that is known, else 0.
	Offset  int
	Message string
	// Related are further places with the same problem.
	Related []Place
}

// Place is a place and what there is to say about it.
type Place struct {
	Position objects.Position
	Message  string
}

func (p Problem) String() string { return p.Position.String() + ": " + p.Message }

func aboutFile(file, message string) Problem {
	return Problem{Position: objects.Position{File: file, Line: 1, Column: 1}, Message: message}
}

// NoText tells whether a file is no text, whatever its name. Text in UTF-16 has zero bytes as well.
func NoText(file repo.File) (p Problem, noText bool) {
	at := bytes.IndexByte(file.Data, 0)
	if at < 0 {
		return p, false
	}
	message := "not text, for it has a zero byte here, so the file was not checked"
	if bytes.HasPrefix(file.Data, []byte("\xff\xfe")) || bytes.HasPrefix(file.Data, []byte("\xfe\xff")) {
		message, at = "text in UTF-16, so the file was not checked: save it as UTF-8", 0
	}
	p = Problem{Invalid: true, Offset: at, Message: message, Position: objects.Position{File: file.Path}}
	p.Position.Line, p.Position.Column = (&manifest.File{Path: file.Path, Data: file.Data}).Position(at)
	return p, true
}

// Skipped says of a file that a walk did not read it.
func Skipped(skip repo.Skip) Problem {
	p := aboutFile(skip.Path, "not read: "+skip.Reason)
	p.Unreadable = skip.Unreadable
	return p
}

// unparsable reports a document that is not YAML. Text with placeholders of a template engine was never meant to be.
func unparsable(doc *manifest.Document, err error) Problem {
	var syntax *manifest.SyntaxError
	if !errors.As(err, &syntax) {
		syntax = &manifest.SyntaxError{Line: 1, Column: 1, Message: err.Error()}
	}
	at := objects.Position{File: doc.File.Path, Line: syntax.Line, Column: syntax.Column}
	if bytes.Contains(doc.Bytes(), []byte("{{")) || bytes.Contains(doc.Bytes(), []byte("{%")) {
		return Problem{Position: at,
			Message: "a text template, which is no YAML before it is filled in, was not checked: " + syntax.Message}
	}
	return Problem{Invalid: true, Position: at,
		Message: fmt.Sprintf("not valid YAML, so the document was not checked: %s", syntax.Message)}
}

// OfUnit says what of a unit was not looked at as it is applied.
func OfUnit(unit *objects.Unit) []Problem {
	var problems []Problem
	for _, p := range unit.Problems {
		problems = append(problems, Problem{Position: p.Position, Message: p.Message})
	}
	for _, entry := range unit.Remotes {
		problems = append(problems, Problem{Position: entry.Position,
			Message: fmt.Sprintf("%s lies outside of the repository and was not checked", entry.Value)})
	}
	if p, changed := Transformed(unit); changed && !unit.NotBuilt {
		problems = append(problems, p)
	}
	return problems
}

// creators are the fields of kustomizations that bring in objects which no file shows.
var creators = []string{"generators", "transformers", "helmCharts", "helmChartInflationGenerator", "replacements", "components", "patches"}

func bringsObjects(unit *objects.Unit) bool {
	return slices.ContainsFunc(unit.Transforms, func(t objects.Transform) bool { return slices.Contains(creators, t.Field) })
}

// OfUnit is the function of that name, and says of a unit that changes its objects so where only bindings were left out
// because the names asked for do not occur in them, and of one whose objects are made by the build: what is built may have
// other names.
func (w *Repository) OfUnit(unit *objects.Unit) []Problem {
	problems := OfUnit(unit)
	if len(unit.Objects) == 0 && (w.MayGrant(unit) || bringsObjects(unit)) {
		if p, changed := transformed(unit); changed && !unit.NotBuilt {
			problems = append(problems, p)
		}
	}
	return problems
}

// Transformed tells whether the objects of a unit are applied otherwise than they are known here: as they stand in their
// files, because it was not built.
func Transformed(unit *objects.Unit) (p Problem, changed bool) {
	if len(unit.Objects) == 0 {
		return p, false
	}
	return transformed(unit)
}

func transformed(unit *objects.Unit) (p Problem, changed bool) {
	switch {
	case unit.Built || len(unit.Transforms) == 0:
		return p, false
	case unit.NotBuilt:
		last := unit.Problems[len(unit.Problems)-1] // it says why
		return Problem{Position: last.Position, Message: last.Message}, true
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
