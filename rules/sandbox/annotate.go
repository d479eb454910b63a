package sandbox

import (
	"encoding/json"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/inputschema"
)

// annotate adds to the METADATA of a rule the schemas of its input that differ from those of others: a rule about deployment units has no
// resource, and only a rule that declares parameters has any.
func (p *Source) annotate(module *ast.Module) error {
	for _, a := range module.Annotations {
		a.Schemas = nil // those of users can refer to files
	}
	if !p.IsRule {
		return nil
	}
	var without []string
	if p.OfUnit {
		without = append(without, "resource")
	}
	if p.Parameters == nil {
		without = append(without, "parameters")
	}
	var schemas []*ast.SchemaAnnotation
	if len(without) > 0 {
		input := inputschema.Without(without...)
		schemas = append(schemas, &ast.SchemaAnnotation{Path: ast.InputRootRef, Definition: &input})
	}
	if p.Parameters != nil {
		var parameters any
		if err := json.Unmarshal(p.Parameters, &parameters); err != nil {
			return err
		}
		schemas = append(schemas, &ast.SchemaAnnotation{Path: ast.InputRootRef.Append(ast.StringTerm("parameters")), Definition: &parameters})
	}
	for _, a := range module.Annotations {
		if a.Scope == "package" {
			a.Schemas = append(a.Schemas, schemas...)
		}
	}
	return nil
}
