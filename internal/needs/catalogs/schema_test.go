package catalogs

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

// The schema is that of what is printed.
func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../..", jsonschema.Schema{
		Name: "preflight-catalog", Title: "salint preflight --catalog --format json", Of: reflect.TypeFor[jsonResolution](),
		Descriptions: jsonschema.Documented(t, "../../../docs/output.md", "### preflight of a catalog"),
	})
}
