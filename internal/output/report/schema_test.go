package report

import (
	"reflect"
	"testing"

	"github.com/salint/salint/test/jsonschema"
)

// The schema has the descriptions of docs/output.md.
func TestSchema(t *testing.T) {
	t.Parallel()
	severities := []string{"error", "warning", "note"}
	jsonschema.Compare(t, "../../..", jsonschema.Schema{
		Name: "report", Title: "salint lint --format json", Of: reflect.TypeFor[jsonReport](),
		Descriptions: jsonschema.Documented(t, "../../../docs/output.md", "## JSON"),
		Values: map[string][]string{
			"findings[].severity": severities, "suppressed[].severity": severities, "suppressed[].suppression.by": {"comment", "annotation", "baseline"},
			"findings[].fix.kind": {"safe", "unsafe", "prune"}, "findings[].subject.kind": {"ServiceAccount", "User", "Group"},
		},
	})
}
