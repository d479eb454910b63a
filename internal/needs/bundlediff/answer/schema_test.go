package answer

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

// The schemas are those of what is printed.
func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../../..", jsonschema.Schema{Name: "bundle-diff", Title: "salint bundle-diff --format json", Of: reflect.TypeFor[jsonAnswer](), Descriptions: jsonschema.Documented(t, "../../../../docs/output.md", "### bundle-diff")})
}
