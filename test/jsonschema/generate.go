package jsonschema

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	generator "github.com/google/jsonschema-go/jsonschema"

	"github.com/salint/salint/test/golden"
)

// idBase is where the schemas of the main branch are served.
const idBase = "https://raw.githubusercontent.com/salint/salint/main/internal/output/schema/"

// Schema describes a schema to generate.
type Schema struct {
	// Name is the name of the file, without .json, and Title a few words about what it describes.
	Name, Title string
	// Of is the type that the program encodes.
	Of reflect.Type
	// Types are the schemas of types that need another schema than the generated one, such as recursive ones.
	Types map[reflect.Type]*generator.Schema
	// Descriptions are the texts of fields, by their path as in findings[].rule.
	Descriptions map[string]string
	// Values are the only values of fields, by path.
	Values map[string][]string
}

// Compare compares a schema with its file, which -update writes. root is the path of the root of the repository.
func Compare(t *testing.T, root string, s Schema) {
	t.Helper()
	generated, err := generator.ForType(s.Of, &generator.ForOptions{TypeSchemas: s.Types})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(generated)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	s.adapt(tree, "", used)
	for path := range s.Values {
		if !used[path] {
			t.Errorf("the schema %s has no field %s", s.Name, path)
		}
	}
	tree["$schema"], tree["$id"], tree["title"] = "https://json-schema.org/draft/2020-12/schema", idBase+s.Name+".json", s.Title
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(tree); err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join(root, "internal", "output", "schema", s.Name+".json"), out.String())
}

// adapt changes a generated schema to what is promised: fields can be added, and a list is never null.
func (s Schema) adapt(node map[string]any, path string, used map[string]bool) {
	if node["additionalProperties"] == false {
		delete(node, "additionalProperties")
	}
	if types, ok := node["type"].([]any); ok && slices.Contains(types, any("array")) {
		node["type"] = "array"
	}
	if text := s.Descriptions[path]; text != "" {
		node["description"] = text
	}
	if values := s.Values[path]; values != nil {
		used[path] = true
		node["enum"] = values
	}
	if path == "schemaVersion" {
		node["const"] = "1"
	}
	if items, ok := node["items"].(map[string]any); ok {
		s.adapt(items, path+"[]", used)
	}
	properties, _ := node["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if field, ok := properties[name].(map[string]any); ok {
			s.adapt(field, strings.TrimPrefix(path+"."+name, "."), used)
		}
	}
}

// Documented returns the descriptions in a table of a page, which follows a heading: the paths in code in the first column, and the
// text in the second one.
func Documented(t *testing.T, page, heading string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("%s has no heading %s", page, heading)
	}
	_, table, _ := strings.Cut(section, "|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	code, link := regexp.MustCompile("`([^`]+)`"), regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)
	described := map[string]string{}
	for row := range strings.Lines(table) {
		cells := strings.SplitN(strings.Trim(strings.TrimSpace(row), "|"), "|", 2)
		if len(cells) < 2 {
			continue
		}
		for _, m := range code.FindAllStringSubmatch(cells[0], -1) {
			described[strings.TrimSuffix(m[1], "[]")] = strings.TrimSpace(link.ReplaceAllString(cells[1], "$1"))
		}
	}
	return described
}
