package usage

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

// The schema is that of what is printed.
func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../..", jsonschema.Schema{Name: "uses", Title: "salint uses --format json", Of: reflect.TypeFor[jsonAnswer](), Descriptions: jsonschema.Documented(t, "../../../docs/output.md", "### uses")})
}
