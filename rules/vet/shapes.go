package vet

import (
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// checkShape reports a reference into data that leads below a value which has nothing below it, or into a list by a name.
func (c *checker) checkShape(s *scope, at *ast.Location, ref ast.Ref) {
	if !ref[0].Equal(ast.DefaultRootDocument) || len(c.Documents) == 0 {
		return
	}
	prefix := ref.ConstantPrefix()
	if len(prefix) < 2 || len(ref) == len(prefix) {
		return
	}
	value, found := document(c.Documents, prefix[1:])
	if !found {
		return
	}
	step := ref[len(prefix)]
	switch value := value.(type) {
	case map[string]any:
	case []any:
		if c.isName(s, step) {
			c.fail(at, "%v is a list, and is read by a name, which never finds anything: write it as a mapping (name: value), also if it is empty ({})", prefix)
			return
		}
		if len(ref) > len(prefix)+1 && len(value) > 0 && !slices.ContainsFunc(value, isCollection) {
			c.fail(at, "the items of %v are not mappings, so %v is never defined", prefix, ref)
		}
	default:
		c.failScalar(at, prefix, value)
	}
}

// checkMember reports `x in data.y` where y is no collection.
func (c *checker) checkMember(s *scope, e *ast.Expr) {
	if !e.IsCall() || len(e.Operands()) < 2 || !slices.Contains([]string{ast.Member.Name, ast.MemberWithKey.Name}, e.Operator().String()) {
		return
	}
	n := 1
	if e.Operator().String() == ast.MemberWithKey.Name {
		n = 2
	}
	for _, ref := range c.fullRefs(s, e.Operand(n)) {
		if !ref.IsGround() || !ref[0].Equal(ast.DefaultRootDocument) || len(ref) < 2 {
			continue
		}
		if value, found := document(c.Documents, ref[1:]); found && !isCollection(value) {
			c.failScalar(e.Location, ref, value)
		}
	}
}

func (c *checker) failScalar(at *ast.Location, ref ast.Ref, value any) {
	what, remedy := "a single value", fmt.Sprintf("write a list, as in [%v]", value)
	if value == nil {
		what, remedy = "null", "write [] or {} if it is empty"
	}
	c.fail(at, "%v is %s in the data, and is read as a list or mapping: %s", ref, what, remedy)
}

func isCollection(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// nameFields are fields of objects that are strings.
var nameFields = []string{"name", "namespace", "kind", "apiVersion", "generateName", "uid", "type", "serviceAccountName", "message", "file"}

// isName reports whether a step of a reference is certainly a string.
func (c *checker) isName(s *scope, step *ast.Term) bool {
	if v, is := step.Value.(ast.Var); is {
		for _, call := range s.outputs[v] {
			if b := ast.BuiltinMap[call.Operator().String()]; b != nil && b.Decl.Result() != nil && b.Decl.Result().String() == "string" {
				return true
			}
		}
	}
	for _, ref := range c.fullRefs(s, step) {
		if ref[0].Equal(ast.InputRootDocument) && len(ref) > 2 && slices.Contains(nameFields, constantStep(ref[len(ref)-1])) {
			return true
		}
	}
	return false
}
