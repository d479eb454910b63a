package picture

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

// The schemas are those of what is printed.
func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../..", jsonschema.Schema{Name: "graph", Title: "salint graph --format json", Of: reflect.TypeFor[jsonGraph](), Descriptions: jsonschema.Documented(t, "../../../docs/output.md", "### graph")})
}
