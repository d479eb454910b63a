package verifytest

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render"
)

// Built are the objects that a kustomization builds, by kind, namespace and name, which are unique.
type Built map[string]map[string]any

// Build builds a folder of the repository with kustomize alone: without units, marks, or verification.
func (r Repo) Build(t testing.TB, dir string) Built {
	t.Helper()
	objects, err := render.Kustomize(t.Context(), render.FromFS(r.Tree().FS()), dir, render.KustomizeOptions{NoLines: true, Workers: workers})
	if err != nil {
		t.Fatalf("%s cannot be built: %v", dir, err)
	}
	built := Built{}
	for _, o := range objects {
		if built[nameOf(o)] != nil {
			t.Fatalf("%s builds %s twice", dir, nameOf(o))
		}
		built[nameOf(o)] = o.JSON
	}
	return built
}

func nameOf(o rendered.Object) string {
	return strings.TrimSuffix(o.Kind()+" "+strings.TrimPrefix(o.Namespace()+"/"+o.Name(), "/"), " ")
}

// Folders returns the folders of the repository with a kustomization.
func (r Repo) Folders() []string {
	var folders []string
	for _, file := range r.Tree().Names() {
		if path.Base(file) == "kustomization.yaml" {
			folders = append(folders, path.Dir(file))
		}
	}
	return folders
}

// Differences returns the differences of two builds as sorted lines: "- Kind name" for a removed object, "+ Kind name" for
// an added one, "Kind name: - path" and the like for a field, and "Kind name: path" for a changed value.
func (b Built) Differences(after Built) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if after[name] == nil {
			lines = append(lines, "- "+name)
			continue
		}
		for _, difference := range differ("", b[name], after[name]) {
			lines = append(lines, name+": "+difference)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if b[name] == nil {
			lines = append(lines, "+ "+name)
		}
	}
	slices.Sort(lines)
	return lines
}

// differ returns the topmost fields in which two values differ. Items are compared by index.
func differ(at string, a, b any) []string {
	if list, ok := a.([]any); ok {
		if other, ok := b.([]any); ok {
			return differ(at, fieldsOf(list), fieldsOf(other))
		}
	}
	fields, isMapping := a.(map[string]any)
	others, isOther := b.(map[string]any)
	if !isMapping || !isOther {
		if reflect.DeepEqual(a, b) {
			return nil
		}
		return []string{at}
	}
	var lines []string
	for key, value := range fields {
		other, there := others[key]
		if !there {
			lines = append(lines, "- "+join(at, key))
			continue
		}
		lines = append(lines, differ(join(at, key), value, other)...)
	}
	for key := range others {
		if _, there := fields[key]; !there {
			lines = append(lines, "+ "+join(at, key))
		}
	}
	return lines
}

func fieldsOf(list []any) map[string]any {
	fields := map[string]any{}
	for i, item := range list {
		fields[strconv.Itoa(i)] = item
	}
	return fields
}

func join(at, key string) string { return strings.TrimPrefix(fmt.Sprint(at, ".", key), ".") }
