package deniedtext_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/needs/deniedtext"
)

func TestFieldMessages(t *testing.T) {
	t.Parallel()
	const decoding = `ClusterExtension in version "v1" cannot be handled as a ClusterExtension: strict decoding error: `
	for name, c := range map[string]struct {
		text string
		want *deniedtext.FieldMessage
	}{
		"a klog line": {
			text: `I0802 "spec.serviceAccount is deprecated, ignored, and will be removed in a future release - operator-controller's" ClusterExtension="till"`,
			want: &deniedtext.FieldMessage{Problem: deniedtext.FieldIgnored, Extension: "till", Field: "spec.serviceAccount", Warning: true},
		},
		"several unknown fields": {
			text: decoding + `unknown field "spec.namespce", unknown field "spec.serviceAccount"`,
			want: &deniedtext.FieldMessage{Problem: deniedtext.FieldUnknown, Field: "spec.serviceAccount"},
		},
		"a client that validates": {
			text: `error validating data: ValidationError(ClusterExtension.spec): unknown field "serviceAccount" in io.operatorframework.olm.v1.ClusterExtension.spec`,
			want: &deniedtext.FieldMessage{Problem: deniedtext.FieldUnknown, Field: "spec.serviceAccount"},
		},
		"a client that misses the field": {
			text: `ValidationError(ClusterExtension.spec): missing required field "serviceAccount" in io.operatorframework.olm.v1.ClusterExtension.spec`,
			want: &deniedtext.FieldMessage{Problem: deniedtext.FieldRequired, Field: "spec.serviceAccount"},
		},
		"quotes that a log escapes": {
			text: `error="ClusterExtension.olm.operatorframework.io \"till\" is invalid: spec.serviceAccount.name: Invalid value: \"string\": name is immutable"`,
			want: &deniedtext.FieldMessage{Problem: deniedtext.FieldImmutable, Extension: "till", Field: "spec.serviceAccount.name"},
		},
		"the name is missing": {
			text: `The ClusterExtension "till" is invalid: spec.serviceAccount.name: Required value`,
			want: &deniedtext.FieldMessage{Problem: deniedtext.FieldEmpty, Extension: "till", Field: "spec.serviceAccount.name"},
		},
		"a warning about another kind":        {text: "Warning: unknown field \"spec.serviceAccount\"\nrunner.ci.example.com/till created"},
		"a field of another kind":             {text: `Runner in version "v1" cannot be handled as a Runner: strict decoding error: unknown field "spec.serviceAccount"`},
		"another field of an extension":       {text: decoding + `unknown field "spec.accountName"`},
		"a list of fields of another refusal": {text: "The ClusterExtension \"till\" is invalid: spec.version: Required value\nThe Runner \"x\" is broken: spec.account: Required value"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := deniedtext.Parse([]byte(c.text))
			if c.want == nil {
				if !errors.Is(err, deniedtext.ErrNothing) {
					t.Fatalf("found %v, %v", report, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]deniedtext.FieldMessage{*c.want}, report.Fields); diff != "" || !report.OnlyFields() {
				t.Errorf("only the field: %v\n%s", report.OnlyFields(), diff)
			}
		})
	}
}
