package formats

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

// The schemas are those of what is printed.
func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../../..", jsonschema.Schema{Name: "diff", Title: "salint diff --format json", Of: reflect.TypeFor[jsonReport](), Descriptions: jsonschema.Documented(t, "../../../../docs/diff.md", "## Formats")})
}
