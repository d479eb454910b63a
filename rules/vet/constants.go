package vet

import (
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

const (
	// maxDepth limits how many definitions are followed, and maxValues how many values of a term are considered.
	maxDepth  = 8
	maxValues = 200
)

// values returns the constant values that a term can have; nothing if one of them depends on the input.
func (c *checker) values(s *scope, t *ast.Term, depth int) []ast.Value {
	if depth > maxDepth {
		return nil
	}
	switch v := t.Value.(type) {
	case ast.Var:
		return c.valuesOfVar(s, v, depth+1)
	case ast.Ref:
		return c.valuesOfRef(s, v, depth+1)
	case *ast.Array:
		return c.valuesOfArray(s, v, depth+1)
	}
	if t.IsGround() && isConstant(t.Value) {
		return []ast.Value{t.Value}
	}
	return nil
}

func isConstant(v ast.Value) bool {
	switch v.(type) {
	case ast.Null, ast.Boolean, ast.Number, ast.String, ast.Object, ast.Set:
		return ast.IsConstant(v)
	}
	return false
}

// valuesOfArray returns an array with the values of its items, if each has one.
func (c *checker) valuesOfArray(s *scope, array *ast.Array, depth int) []ast.Value {
	items := make([]*ast.Term, array.Len())
	for i := range items {
		known := c.values(s, array.Elem(i), depth)
		if len(known) != 1 {
			return nil
		}
		items[i] = ast.NewTerm(known[0])
	}
	return []ast.Value{ast.NewArray(items...)}
}

// valuesOfVar returns the values of a variable: by its definition, the call whose result it is, or the calls of the function
// whose argument it is.
func (c *checker) valuesOfVar(s *scope, v ast.Var, depth int) []ast.Value {
	if i, is := s.argument(v); is {
		var all []ast.Value
		for _, made := range c.calls[s.rule.Ref().GroundPrefix().String()] {
			if i < len(made.args) {
				all = append(all, c.values(made.in, made.args[i], depth)...)
			}
		}
		return limited(all)
	}
	for _, defined := range s.definitions[v] {
		if _, again := defined.Value.(ast.Var); again && depth > 3 {
			continue
		}
		if known := c.values(s, defined, depth); known != nil {
			return known
		}
	}
	if calls := s.outputs[v]; len(calls) == 1 {
		return c.results(s, calls[0], depth)
	}
	return nil
}

// valuesOfRef returns the values at the end of a reference that begins with a variable, a document, or a constant rule.
func (c *checker) valuesOfRef(s *scope, ref ast.Ref, depth int) []ast.Value {
	head, is := ref[0].Value.(ast.Var)
	switch {
	case !is:
		return c.below(s, c.values(s, ref[0], depth), ref[1:], depth)
	case head.Equal(ast.InputRootDocument.Value):
		return nil
	case head.Equal(ast.DefaultRootDocument.Value):
		return c.valuesOfData(s, ref, depth)
	}
	return c.below(s, c.valuesOfVar(s, head, depth), ref[1:], depth)
}

func (c *checker) valuesOfData(s *scope, ref ast.Ref, depth int) []ast.Value {
	prefix := ref.ConstantPrefix()
	for length := len(prefix); length > 1; length-- {
		if rules := c.Compiler.GetRulesExact(prefix[:length]); len(rules) > 0 {
			return c.below(s, c.valuesOfRules(rules, depth), ref[length:], depth)
		}
	}
	if len(prefix) < 2 {
		return nil
	}
	if value, found := document(c.Documents, prefix[1:]); found {
		if known, err := ast.InterfaceToValue(value); err == nil {
			return c.below(s, []ast.Value{known}, ref[len(prefix):], depth)
		}
	}
	return nil
}

// valuesOfRules returns the value of a document that rules define without looking at anything.
func (c *checker) valuesOfRules(rules []*ast.Rule, depth int) []ast.Value {
	var members []*ast.Term
	for _, rule := range rules {
		if len(rule.Head.Args) > 0 || rule.Else != nil {
			return nil
		}
		s := newScope(rule)
		if rule.Head.DocKind() == ast.PartialSetDoc {
			for _, v := range c.values(s, rule.Head.Key, depth) {
				members = append(members, ast.NewTerm(v))
			}
			continue
		}
		if len(rules) > 1 || rule.Head.Value == nil || rule.Head.DocKind() != ast.CompleteDoc {
			return nil
		}
		return c.values(s, rule.Head.Value, depth)
	}
	if len(members) == 0 {
		return nil
	}
	return []ast.Value{ast.NewSet(members...)}
}

// below follows the steps of a reference: a constant key, or a variable that stands for every key.
func (c *checker) below(s *scope, from []ast.Value, steps ast.Ref, depth int) []ast.Value {
	for _, step := range steps {
		var next []ast.Value
		add := func(t *ast.Term) { next = append(next, t.Value) }
		for _, v := range from {
			if step.IsGround() {
				if found, err := v.Find(ast.Ref{step}); err == nil {
					next = append(next, found)
				}
				continue
			}
			if _, isSet := v.(ast.Set); isSet {
				if key, isVar := step.Value.(ast.Var); isVar {
					if known := c.valuesOfVar(s, key, depth+maxDepth/2); len(known) == 1 {
						next = append(next, known[0])
						continue
					}
				}
			}
			each(v, add)
		}
		from = limited(next)
	}
	return from
}

func each(v ast.Value, add func(*ast.Term)) {
	switch v := v.(type) {
	case *ast.Array:
		v.Foreach(add)
	case ast.Set:
		v.Foreach(add)
	case ast.Object:
		v.Foreach(func(_, value *ast.Term) { add(value) })
	}
}

func limited(all []ast.Value) []ast.Value { return all[:min(len(all), maxValues)] }

// results returns the results of a call with constant arguments.
func (c *checker) results(s *scope, e *ast.Expr, depth int) []ast.Value {
	name := e.Operator().String()
	b := ast.BuiltinMap[name]
	if b == nil || !isProbed(name) {
		return nil
	}
	args := e.Operands()[:len(b.Decl.FuncArgs().Args)]
	var constant []*ast.Term
	for _, arg := range args {
		known := c.values(s, arg, depth)
		if len(known) != 1 {
			return nil
		}
		constant = append(constant, ast.NewTerm(known[0]))
	}
	result, err := evaluate(name, constant)
	if err != nil || result == nil {
		return nil
	}
	return []ast.Value{result}
}

// document returns the part of the data at a path.
func document(data any, path ast.Ref) (any, bool) {
	for _, step := range path {
		key, is := step.Value.(ast.String)
		object, isObject := data.(map[string]any)
		switch {
		case isObject && is:
			value, found := object[string(key)]
			if !found {
				return nil, false
			}
			data = value
		default:
			list, isList := data.([]any)
			n, isNumber := step.Value.(ast.Number)
			i, whole := n.Int()
			if !isList || !isNumber || !whole || i < 0 || i >= len(list) {
				return nil, false
			}
			data = list[i]
		}
	}
	return data, true
}

// isProbed reports whether a function of OPA can be called at load: it is cheap, and its result depends on its arguments alone.
func isProbed(name string) bool {
	family, _, dotted := strings.Cut(name, ".")
	if !dotted {
		return probedFunctions[name]
	}
	return probedFamilies[family] && name != "regex.globs_match" && name != "time.now_ns"
}

var probedFamilies = map[string]bool{
	"regex": true, "glob": true, "net": true, "semver": true, "time": true, "units": true, "base64": true, "base64url": true, "hex": true,
	"strings": true, "urlquery": true, "json": true, "yaml": true, "array": true,
}

var probedFunctions = map[string]bool{
	"to_number": true, "concat": true, "sprintf": true, "lower": true, "upper": true, "trim": true, "trim_left": true, "trim_right": true,
	"trim_prefix": true, "trim_suffix": true, "trim_space": true, "replace": true, "split": true, "substring": true, "format_int": true,
}
