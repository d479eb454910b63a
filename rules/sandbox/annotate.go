package sandbox

import (
	"encoding/json"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/inputschema"
	"github.com/salint/salint/rules/policy"
)

// annotate adds to the METADATA of a rule the schemas of its input that differ from those of others: a rule about deployment units has no
// resource, and only a rule that declares parameters has any.
func (p *Source) annotate(module *ast.Module) error {
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
		withoutOpen(parameters)
		schemas = append(schemas, &ast.SchemaAnnotation{Path: ast.InputRootRef.Append(ast.StringTerm("parameters")), Definition: &parameters})
	}
	if len(schemas) == 0 {
		return nil
	}
	// The METADATA of users is not parsed again: it can refer to files, and much of it is slow to attach.
	header, err := policy.Parse(p.Name, []byte("# METADATA\n# scope: package\n# title: input\n"+module.Package.String()+"\n"))
	if err != nil {
		return err
	}
	for _, a := range header.Annotations {
		a.Schemas = schemas
	}
	// A copy of the module keeps no annotations of statements that it does not have.
	header.Package.Location = module.Package.Location
	module.Package, module.Annotations = header.Package, header.Annotations
	return nil
}

// withoutOpen leaves out the properties of objects that can have others, too, in a schema: the compiler would refuse to read these.
func withoutOpen(value any) {
	switch value := value.(type) {
	case map[string]any:
		more, said := value["additionalProperties"]
		_, byPattern := value["patternProperties"]
		if said && more != false || byPattern {
			delete(value, "properties")
			delete(value, "required")
		}
		for _, item := range value {
			withoutOpen(item)
		}
	case []any:
		for _, item := range value {
			withoutOpen(item)
		}
	}
}
