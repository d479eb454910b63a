package answer

import (
	"reflect"
	"testing"

	generator "github.com/google/jsonschema-go/jsonschema"

	"github.com/salint/salint/test/jsonschema"
)

// The schemas are those of what is printed.
func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../../..", jsonschema.Schema{Name: "preflight", Title: "salint preflight --format json", Of: reflect.TypeFor[jsonAnswer](), Descriptions: jsonschema.Documented(t, "../../../../docs/output.md", "### preflight"),
		Types: map[reflect.Type]*generator.Schema{
			reflect.TypeFor[[]jsonAnswer](): {Type: "array", Items: &generator.Schema{Ref: "#"}},
		},
	})
}
