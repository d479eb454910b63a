package gitops_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/test/golden"
)

// cases are the golden cases: in/ is a repository, remotes lists its git remotes, and out is what is read of it.
var cases = golden.Suite{Cases: "testdata/*", Inputs: []string{"remotes", "in/"}, Outputs: []string{"out"}}

func TestGolden(t *testing.T) {
	t.Parallel()
	cases.Run(t, func(t *testing.T, c golden.Case) map[string]string {
		return map[string]string{"out": read(c.Files["remotes"], golden.Below("in/", c.Files))}
	})
}

// read returns what is read of a repository with these remotes, as text.
func read(remotes string, files tree) string {
	result := gitops.Read(objectsOf(files), gitops.Options{Remotes: strings.Fields(remotes), Tree: files})
	var got bytes.Buffer
	for _, a := range result.Applications {
		fmt.Fprintf(&got, "%s: %s %s/%s\n", a.Object.Position(nil), a.Tool, a.Namespace.Value, a.Name.Value)
		dump(&got, "  ", reflect.ValueOf(*a))
		for i, s := range a.Sources {
			if contents := s.Contents(files.Names()); !reflect.DeepEqual(contents, sources.Contents{}) {
				fmt.Fprintf(&got, "  contents of source %d: %v\n", i, contents)
			}
		}
	}
	for _, reason := range result.NotChecked {
		fmt.Fprintf(&got, "not checked: %s: %s\n", reason.Location.Position(), reason.Message)
	}
	return got.String()
}

// dump writes every field that is set, with the line it stands on.
func dump(out *bytes.Buffer, indent string, v reflect.Value) {
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		if !v.Type().Field(i).IsExported() || name == "Object" || name == "Location" || name == "From" || field.IsZero() {
			continue
		}
		dumpField(out, indent, name, field)
	}
}

func dumpField(out *bytes.Buffer, indent, name string, field reflect.Value) {
	switch value := field.Interface().(type) {
	case view.Field[string]:
		if value.Value != "" {
			fmt.Fprintf(out, "%s%s: %q (%s)\n", indent, name, value.Value, line(value.Location))
		}
		return
	case view.Field[bool]:
		if value.Value {
			fmt.Fprintf(out, "%s%s (%s)\n", indent, name, line(value.Location))
		}
		return
	}
	switch field.Kind() {
	case reflect.Pointer:
		dumpField(out, indent, name, field.Elem())
	case reflect.Struct:
		var inner bytes.Buffer
		dump(&inner, indent+"  ", field)
		if inner.Len() > 0 {
			fmt.Fprintf(out, "%s%s:%s\n%s", indent, name, locationOf(field), inner.String())
		}
	case reflect.String:
		fmt.Fprintf(out, "%s%s: %q\n", indent, name, field.String())
	case reflect.Slice:
		for i := range field.Len() {
			dumpField(out, indent, fmt.Sprintf("%s[%d]", name, i), field.Index(i))
		}
	default:
		fmt.Fprintf(out, "%s%s: %v\n", indent, name, field.Interface())
	}
}

func locationOf(v reflect.Value) string {
	if location, ok := v.Type().FieldByName("Location"); ok {
		return " (" + line(v.FieldByIndex(location.Index).Interface().(view.Location)) + ")"
	}
	return ""
}

func line(p view.Location) string {
	position := p.Position()
	return fmt.Sprintf("%s:%d", filepath.Base(position.File), position.Line)
}

// tree is a repository in memory.
type tree = filestest.Tree

// objectsOf returns the objects of all documents that can be parsed.
func objectsOf(files tree) []*objects.Object {
	var objs []*objects.Object
	for _, name := range files.Names() {
		for _, doc := range manifest.Scan(name, []byte(files[name])).Docs {
			if doc.Parse() == nil {
				objs = append(objs, objects.Objects(doc)...)
			}
		}
	}
	return objs
}
