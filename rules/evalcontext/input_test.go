package evalcontext

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/inputschema"
	"github.com/salint/salint/rules/values"
)

// What a rule gets as input is as its schema describes.
func TestInputIsAsItsSchema(t *testing.T) {
	t.Parallel()
	compiler := jsonschema.NewCompiler()
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(inputschema.Text()))
	if err == nil {
		err = compiler.AddResource("input.json", text)
	}
	if err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("input.json")
	if err != nil {
		t.Fatal(err)
	}
	doc := manifest.Scan("a.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")).Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	object := objects.Objects(doc)[0]
	at := objects.Position{File: "kustomization.yaml", Line: 2}
	full := &objects.Unit{
		Name: "prod", Root: "prod", Kind: objects.KustomizationUnit,
		Transforms: []objects.Transform{{Field: "namePrefix", Value: "a-", Position: at}},
		Remotes:    []objects.Entry{{Field: "resources", Value: "https://example.com/a", Position: at}},
		LeftOut:    []objects.LeftOut{{Missing: true, Reason: "there is no base", Position: at}},
		Problems:   []objects.Problem{{Message: "there is no base", Position: at}},
	}
	for _, about := range []*objects.Object{nil, object} {
		for _, unit := range []*objects.Unit{full, {Kind: objects.PlainUnit}, {Kind: objects.EmbeddedUnit}} {
			for _, now := range []time.Time{{}, time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)} {
				input := New(Context{Unit: unit, Now: now}, about, &values.Cache{}).Input()
				plain, err := ast.JSON(input)
				if err != nil {
					t.Fatal(err)
				}
				raw, err := json.Marshal(plain)
				if err != nil {
					t.Fatal(err)
				}
				value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
				if err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(value); err != nil {
					t.Errorf("%s: %v", raw, err)
				}
			}
		}
	}
}
