package gitops_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A case is a folder of testdata: in/ is a repository, remotes lists its git remotes, and out is what is read of it.
func TestGolden(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/*")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, dir := range cases {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			golden(t, dir)
		})
	}
}

func golden(t *testing.T, dir string) {
	t.Helper()
	files := readTree(t, os.DirFS(filepath.Join(dir, "in")))
	remotes, err := os.ReadFile(filepath.Join(dir, "remotes"))
	if err != nil {
		t.Fatal(err)
	}
	result := gitops.Read(files.objects(), gitops.Options{Remotes: strings.Fields(string(remotes)), Tree: files})
	var got bytes.Buffer
	for _, a := range result.Applications {
		fmt.Fprintf(&got, "%s: %s %s/%s\n", a.Object.Position(nil), a.Tool, a.Namespace.Value, a.Name.Value)
		dump(&got, "  ", reflect.ValueOf(*a))
		for i, s := range a.Sources {
			if contents := s.Contents(files.Files()); !reflect.DeepEqual(contents, gitops.Contents{}) {
				fmt.Fprintf(&got, "  contents of source %d: %v\n", i, contents)
			}
		}
	}
	for _, reason := range result.NotChecked {
		fmt.Fprintf(&got, "not checked: %s: %s\n", reason.Place.Position(), reason.Message)
	}
	file := filepath.Join(dir, "out")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Error(diff)
	}
}

// dump writes every field that is set, with the line it stands on.
func dump(out *bytes.Buffer, indent string, v reflect.Value) {
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		if !v.Type().Field(i).IsExported() || name == "Object" || name == "Place" || name == "From" || field.IsZero() {
			continue
		}
		dumpField(out, indent, name, field)
	}
}

func dumpField(out *bytes.Buffer, indent, name string, field reflect.Value) {
	switch value := field.Interface().(type) {
	case gitops.Field[string]:
		if value.Value != "" {
			fmt.Fprintf(out, "%s%s: %q (%s)\n", indent, name, value.Value, line(value.Place))
		}
		return
	case gitops.Field[bool]:
		if value.Value {
			fmt.Fprintf(out, "%s%s (%s)\n", indent, name, line(value.Place))
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
			fmt.Fprintf(out, "%s%s:%s\n%s", indent, name, placeOf(field), inner.String())
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

func placeOf(v reflect.Value) string {
	if place, ok := v.Type().FieldByName("Place"); ok {
		return " (" + line(v.FieldByIndex(place.Index).Interface().(gitops.Place)) + ")"
	}
	return ""
}

func line(p gitops.Place) string {
	position := p.Position()
	return fmt.Sprintf("%s:%d", filepath.Base(position.File), position.Line)
}

// tree is a repository in memory.
type tree map[string]string

func readTree(t *testing.T, fsys fs.FS) tree {
	t.Helper()
	files := tree{}
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (f tree) Files() []string {
	var names []string
	for name := range f {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (f tree) ReadFile(name string, limit int64) ([]byte, error) {
	if int64(len(f[name])) > limit {
		return nil, fmt.Errorf("%s is too large", name)
	}
	return []byte(f[name]), nil
}

func (f tree) objects() []*objects.Object {
	var objs []*objects.Object
	for _, name := range f.Files() {
		for _, doc := range manifest.Scan(name, []byte(f[name])).Docs {
			if doc.Parse() == nil {
				objs = append(objs, objects.Objects(doc)...)
			}
		}
	}
	return objs
}
