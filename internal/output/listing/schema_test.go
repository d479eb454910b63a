package listing

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

func TestSchemas(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../..", jsonschema.Schema{
		Name: "rules", Title: "salint rules --format json", Of: reflect.TypeFor[jsonRules](),
		Descriptions: jsonschema.Documented(t, "../../../docs/output.md", "### rules"),
		Values:       map[string][]string{"rules[].severity": {"error", "warning", "note", "off"}},
	})
	jsonschema.Compare(t, "../../..", jsonschema.Schema{Name: "targets", Title: "salint targets --format json", Of: reflect.TypeFor[jsonTargets](), Descriptions: jsonschema.Documented(t, "../../../docs/output.md", "### targets")})
}
