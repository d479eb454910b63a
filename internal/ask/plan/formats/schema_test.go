package formats

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

// The schemas are those of what is printed.
func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../../..", jsonschema.Schema{Name: "plan", Title: "salint plan --format json", Of: reflect.TypeFor[jsonPlan](), Descriptions: jsonschema.Documented(t, "../../../../docs/output.md", "### Plans in JSON")})
}
