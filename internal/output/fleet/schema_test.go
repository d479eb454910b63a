package fleet

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

// The schemas are those of what is printed.
func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../..", jsonschema.Schema{Name: "fleet", Title: "salint report --format json", Of: reflect.TypeFor[jsonFleet](), Descriptions: jsonschema.Documented(t, "../../../docs/fleet.md", "### JSON")})
	jsonschema.Compare(t, "../../..", jsonschema.Schema{Name: "fleet-finding", Title: "A line of salint report --format ndjson", Of: reflect.TypeFor[jsonLine]()})
}
