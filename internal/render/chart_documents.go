package render

import (
	"fmt"
	"path"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rendered"
)

// objects reads the objects of a rendered template.
func (t Template) objects(chart string) ([]rendered.Object, error) {
	name := t.place()
	found, err := documents(name, []byte(t.Text), true)
	if err != nil {
		return nil, t.yamlError(err)
	}
	var objects []rendered.Object
	for _, object := range found {
		origin := rendered.Origin{File: t.File, Chart: chart, Template: name}
		if t.Inside == "" { // lines inside an archive have no position
			origin.Line = t.own(object.Doc.Locate(object.Path).Start).Line
		}
		objects = append(objects, rendered.Object{Origin: origin, JSON: object.JSON()})
	}
	return objects, nil
}

// yamlError returns the error that the text is not YAML. Because the user never sees the text, its position is that of the
// template, as far as known.
func (t Template) yamlError(err *Error) *Error {
	fault := &Error{File: t.File, Message: "does not render to manifests: " + err.Error()}
	if t.plain != nil {
		fault.Line, fault.Column, fault.Message = err.Line, err.Column, err.Message
		return fault
	}
	if at := offsetOf(t.Text, err.Line); at >= 0 && t.Inside == "" {
		fault.Line = t.own(at).Line
	}
	return fault
}

// offsetOf returns the offset of a line; -1 if there is no such line.
func offsetOf(text string, line int) int {
	at := 0
	for ; line > 1; line-- {
		length := strings.IndexByte(text[at:], '\n')
		if length < 0 {
			return -1
		}
		at += length + 1
	}
	if at >= len(text) {
		return -1
	}
	return at
}

// isPlain reports whether a template has no actions, so that the lines of its text are those of its file.
func (t Template) isPlain() bool {
	return t.Inside == "" && (t.CRD || !strings.Contains(t.Source, "{{"))
}

// place returns the path of a template, including the path in an archive.
func (t Template) place() string {
	if t.Inside == "" {
		return t.File
	}
	return path.Join(t.File, t.Inside)
}

// documents reads the objects of a manifest file. A document without kind is no object; if expected is set, it is an error.
func documents(name string, data []byte, expected bool) ([]*objects.Object, *Error) {
	var objs []*objects.Object
	for _, doc := range manifest.Scan(name, data).Docs {
		if err := doc.Parse(); err != nil {
			return nil, parseError(name, err)
		}
		if expected && !doc.Root.IsNull() && doc.Root.Get("kind").String() == "" {
			line, column := doc.File.Position(doc.Root.Span().Start)
			return nil, &Error{File: name, Line: line, Column: column, Message: "the document is not an object: it must be a mapping with apiVersion and kind"}
		}
		objs = append(objs, objects.Objects(doc)...)
	}
	return objs, nil
}

func parseError(name string, err error) *Error {
	syntax, ok := err.(*manifest.SyntaxError)
	if !ok {
		return &Error{File: name, Message: err.Error()}
	}
	return &Error{File: name, Line: syntax.Line, Column: syntax.Column, Message: fmt.Sprintf("not valid YAML: %s", syntax.Message)}
}
