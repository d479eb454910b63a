package settings

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func configurationPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(page), "\r\n", "\n")
}

// The page has a row for every key of the schema, and for no other key.
func TestKeysAreDocumented(t *testing.T) {
	t.Parallel()
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(configurationPage(t), -1) {
		documented[m[1]] = true
	}
	keys := map[string]bool{}
	keysOf(compileSchema(t), "", keys)
	if diff := cmp.Diff(keys, documented); diff != "" {
		t.Errorf("docs/configuration.md (-the schema +the page):\n%s", diff)
	}
}

// keysOf lists the keys of a schema: * is any key, [] the items of a list that have keys or are lists. A mapping is named
// by its keys.
func keysOf(s *jsonschema.Schema, path string, keys map[string]bool) {
	for s.Ref != nil {
		s = s.Ref
	}
	items, _ := s.Items.(*jsonschema.Schema)
	values, _ := s.AdditionalProperties.(*jsonschema.Schema)
	switch {
	case len(s.Properties) > 0:
		if strings.HasSuffix(path, "*") || strings.HasSuffix(path, "[]") {
			keys[path] = true
		}
		for key, property := range s.Properties {
			keysOf(property, strings.TrimPrefix(path+"."+key, "."), keys)
		}
	case items != nil && (len(items.Properties) > 0 || len(items.OneOf) > 0):
		keysOf(items, path+"[]", keys)
	case values != nil && values.Enum == nil && len(values.AnyOf) == 0:
		keysOf(values, path+".*", keys)
	default:
		keys[path] = true
	}
}

// The example on the page is a valid configuration with every key.
func TestExampleOfThePage(t *testing.T) {
	t.Parallel()
	m := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(configurationPage(t))
	if m == nil {
		t.Fatal("the page has no example")
	}
	if err := validate(t, compileSchema(t), m[1]); err != nil {
		t.Error(err)
	}
	c := mustLoad(t, m[1])
	for field, value := range reflect.Indirect(reflect.ValueOf(c)).Fields() {
		if field.Tag.Get("json") != "" && field.Tag.Get("json") != "-" && value.IsZero() {
			t.Errorf("the example does not show %s", field.Name)
		}
	}
}
