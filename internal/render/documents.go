package render

import (
	"fmt"
	"path"
	"strings"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/rendered"
)

// objects reads the objects of a rendered template.
func (t Template) objects(chart string) ([]rendered.Object, error) {
	name := t.place()
	found, err := documents(name, []byte(t.Text), true)
	if err != nil {
		// The line is one of the text, which the user has never seen, unless there was nothing to render.
		fault := &Error{File: t.File, Message: "does not render to manifests: " + err.Error()}
		if t.isPlain() {
			fault.Line, fault.Column, fault.Message = err.Line, err.Column, err.Message
		}
		return nil, fault
	}
	for i := range found {
		origin := &found[i].Origin
		origin.File, origin.Chart, origin.Template = t.File, chart, name
		if !t.isPlain() {
			origin.Line = 0
		}
	}
	return found, nil
}

// isPlain tells whether a template has nothing to render, so that the lines of its text are those of its file.
func (t Template) isPlain() bool {
	return t.Inside == "" && (t.CRD || !strings.Contains(t.Source, "{{"))
}

// place is the path of a template, through the archive it may lie in.
func (t Template) place() string {
	if t.Inside == "" {
		return t.File
	}
	return path.Join(t.File, t.Inside)
}

// documents reads the objects of a file of manifests. What has no kind is no object; where only objects are expected, it is
// an error.
func documents(name string, data []byte, expected bool) ([]rendered.Object, *Error) {
	var objects []rendered.Object
	for _, doc := range manifest.Scan(name, data).Docs {
		if err := doc.Parse(); err != nil {
			return nil, parseError(name, err)
		}
		if expected && !doc.Root.IsNull() && doc.Root.Get("kind").String() == "" {
			line, column := doc.File.Position(doc.Root.Span.Start)
			return nil, &Error{File: name, Line: line, Column: column, Message: "a document that is no object: a mapping with apiVersion and kind is expected"}
		}
		for _, object := range inventory.Objects(doc) {
			at := object.Position(nil)
			objects = append(objects, rendered.Object{Origin: rendered.Origin{File: name, Line: at.Line}, JSON: object.JSON()})
		}
	}
	return objects, nil
}

func parseError(name string, err error) *Error {
	syntax, ok := err.(*manifest.SyntaxError)
	if !ok {
		return &Error{File: name, Message: err.Error()}
	}
	return &Error{File: name, Line: syntax.Line, Column: syntax.Column, Message: fmt.Sprintf("not valid YAML: %s", syntax.Message)}
}
