package access

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

// The schemas are those of what is printed.
func TestSchema(t *testing.T) {
	t.Parallel()
	jsonschema.Compare(t, "../../..", jsonschema.Schema{Name: "can-i", Title: "salint can-i --format json", Of: reflect.TypeFor[jsonVerdict](), Descriptions: jsonschema.Documented(t, "../../../docs/output.md", "### can-i and who-can")})
	jsonschema.Compare(t, "../../..", jsonschema.Schema{Name: "can-i-list", Title: "salint can-i --list --format json", Of: reflect.TypeFor[jsonListing](), Descriptions: jsonschema.Documented(t, "../../../docs/output.md", "### can-i and who-can")})
	jsonschema.Compare(t, "../../..", jsonschema.Schema{Name: "who-can", Title: "salint who-can --format json", Of: reflect.TypeFor[jsonHolders](), Descriptions: jsonschema.Documented(t, "../../../docs/output.md", "### can-i and who-can")})
}
