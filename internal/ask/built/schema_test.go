package built

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../..", jsonschema.Schema{Name: "build", Title: "salint build --format json", Of: reflect.TypeFor[jsonUnits](), Descriptions: jsonschema.Documented(t, "../../../docs/output.md", "### build")})
}
