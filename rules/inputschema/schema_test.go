package inputschema

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// part is a part of the schema.
type part struct {
	Description string
	Properties  map[string]part
	Items       *part
}

func (p part) rows(path string, rows map[string]string) {
	for name, property := range p.Properties {
		full := path + "." + name
		rows[full] = property.Description
		if property.Items != nil {
			property, full = *property.Items, full+"[]"
		}
		property.rows(full, rows)
	}
}

// The page of the input has a row for each field of the schema, with its description, and no other.
func TestPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	var schema part
	if err := json.Unmarshal(Text(), &schema); err != nil {
		t.Fatal(err)
	}
	want, got := map[string]string{}, map[string]string{}
	schema.rows("input", want)
	text := strings.ReplaceAll(string(page), "\r\n", "\n")
	for _, m := range regexp.MustCompile("(?m)^\\| `(input\\.[^`]*)` \\| (.*) \\|$").FindAllStringSubmatch(text, -1) {
		got[m[1]] = m[2]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/policies.md (-the schema +the page):\n%s", diff)
	}
}

// A schema without properties of the input leaves the others.
func TestWithout(t *testing.T) {
	t.Parallel()
	properties := Without("resource", "parameters").(map[string]any)["properties"].(map[string]any)
	if _, has := properties["resource"]; has || properties["unit"] == nil || fmt.Sprint(Without()) == fmt.Sprint(Without("resource")) {
		t.Errorf("the properties are %v", properties)
	}
}
