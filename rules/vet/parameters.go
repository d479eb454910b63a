package vet

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/base/nearest"
)

// Rule is a rule of the user with the schema of its parameters; nil if it has none.
type Rule struct {
	// Key is that of its module.
	Key, Name  string
	Parameters json.RawMessage
	// Kinds are the kinds of its objects, without groups; nil if these are all kinds.
	Kinds []string
}

// parameterRead is a place that reads a parameter. An optional one has a default.
type parameterRead struct {
	at       *ast.Location
	path     ast.Ref
	optional bool
}

// checkParameters reports parameters that are read for a rule which does not declare them: by its helpers, whose input is not known to the
// compiler, and by object.get. An optional one is reported if no rule declares it.
func (c *checker) checkParameters(scopes []*scope) {
	if !slices.ContainsFunc(scopes, mentionsParameters) {
		return
	}
	byRule := map[*ast.Rule][]*scope{}
	for _, s := range scopes {
		byRule[s.rule] = append(byRule[s.rule], s)
	}
	type optional struct {
		parameterRead
		problem string
	}
	undeclared, declared := []optional{}, map[string]bool{}
	for _, rule := range c.Rules {
		schema := schemaOf(rule)
		reached := c.reachable(c.Compiler.Modules[rule.Key].Rules, byRule)
		for _, read := range c.parameterReads(reached, byRule) {
			problem := missingParameter(rule, schema, read.path)
			switch {
			case problem == "" && read.optional:
				declared[read.at.String()] = true
			case problem == "":
			case read.optional:
				undeclared = append(undeclared, optional{read, problem})
			default:
				c.fail(read.at, "%s", problem)
			}
		}
	}
	for _, o := range undeclared {
		if !declared[o.at.String()] {
			c.fail(o.at, "%s", o.problem)
		}
	}
}

// schemaOf returns the schema of the parameters of a rule; nil if it has none.
func schemaOf(rule Rule) (schema any) {
	_ = json.Unmarshal(rule.Parameters, &schema) // it was checked when the METADATA was read
	return schema
}

func mentionsParameters(s *scope) bool {
	found := false
	look := func(t *ast.Term) bool {
		found = found || t.Equal(parametersTerm)
		if ref, is := t.Value.(ast.Ref); is && len(ref) > 1 && ref[0].Equal(ast.InputRootDocument) {
			found = found || ref[1].Equal(parametersTerm)
		}
		return found
	}
	ast.WalkTerms(s.rule.Head, look)
	ast.WalkTerms(s.rule.Body, look)
	return found
}

var parametersTerm = ast.StringTerm("parameters")

// reachable returns the rules of Rego that a rule uses, and itself.
func (c *checker) reachable(queue []*ast.Rule, own map[*ast.Rule][]*scope) map[*ast.Rule]bool {
	reached := map[*ast.Rule]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		rule := queue[0]
		if reached[rule] || own[rule] == nil {
			continue
		}
		reached[rule] = true
		if rule.Else != nil {
			queue = append(queue, rule.Else)
		}
		ast.WalkRefs(rule, func(ref ast.Ref) bool {
			if ref[0].Equal(ast.DefaultRootDocument) {
				queue = append(queue, c.Compiler.GetRulesDynamicWithOpts(ref, ast.RulesOptions{})...)
			}
			return false
		})
	}
	return reached
}

// parameterReads returns where rules read parameters.
func (c *checker) parameterReads(reached map[*ast.Rule]bool, byRule map[*ast.Rule][]*scope) []parameterRead {
	var all []parameterRead
	for rule := range reached {
		for _, s := range byRule[rule] {
			add := func(t *ast.Term, optional bool) {
				for _, full := range c.originOf(reached, s, t, 0) {
					if len(full) > 2 && full[0].Equal(ast.InputRootDocument) && full[1].Equal(parametersTerm) {
						all = append(all, parameterRead{t.Location, full[2:], optional})
					}
				}
			}
			visit := func(t *ast.Term) bool {
				if _, is := t.Value.(ast.Ref); is {
					add(t, false)
				}
				return false
			}
			ast.WalkTerms(s.rule.Head, visit)
			ast.WalkTerms(s.rule.Body, visit)
			for _, e := range s.exprs {
				if ref := optionalRef(e); ref != nil {
					add(ast.NewTerm(ref).SetLocation(e.Location), true)
				}
			}
		}
	}
	return all
}

// optionalRef returns what object.get reads, as a reference; nil for another call, or if a step is not constant.
func optionalRef(e *ast.Expr) ast.Ref {
	if !e.IsCall() || e.Operator().String() != ast.ObjectGet.Name || len(e.Operands()) < 3 {
		return nil
	}
	var ref ast.Ref
	switch from := e.Operand(0).Value.(type) {
	case ast.Ref:
		ref = from.Copy()
	case ast.Var:
		ref = ast.Ref{e.Operand(0)}
	default:
		return nil
	}
	steps, is := e.Operand(1).Value.(*ast.Array)
	if !is {
		steps = ast.NewArray(e.Operand(1))
	}
	for i := range steps.Len() {
		ref = ref.Append(steps.Elem(i))
	}
	return ref
}

// originOf returns the references from which a value comes: through variables, calls of object.get, and arguments of functions that the
// reached rules call; nil stands for all rules.
func (c *checker) originOf(reached map[*ast.Rule]bool, s *scope, t *ast.Term, depth int) []ast.Ref {
	ref, is := t.Value.(ast.Ref)
	if _, isVar := t.Value.(ast.Var); isVar {
		ref, is = ast.Ref{t}, true
	}
	if !is || depth > maxDepth {
		return nil
	}
	head, isVar := ref[0].Value.(ast.Var)
	if !isVar || ref[0].Equal(ast.InputRootDocument) || ref[0].Equal(ast.DefaultRootDocument) {
		return []ast.Ref{ref}
	}
	var all []ast.Ref
	from := func(in *scope, t *ast.Term) {
		for _, origin := range c.originOf(reached, in, t, depth+1) {
			all = append(all, origin.Concat(ref[1:]))
		}
	}
	if i, isArgument := s.argument(head); isArgument {
		for _, made := range c.calls[s.rule.Ref().GroundPrefix().String()] {
			if i < len(made.args) && (reached == nil || reached[made.in.rule]) && len(all) < maxValues {
				from(made.in, made.args[i])
			}
		}
		return all
	}
	for _, defined := range s.definitions[head] {
		if !defined.Equal(ref[0]) {
			from(s, defined)
		}
	}
	for _, e := range s.outputs[head] {
		if optional := optionalRef(e); optional != nil {
			from(s, ast.NewTerm(optional))
		}
	}
	return all
}

// missingParameter returns the problem with a parameter that a rule does not declare; "" if it does.
func missingParameter(rule Rule, schema any, path ast.Ref) string {
	if schema == nil {
		return fmt.Sprintf("input.parameters is read for the rule %s, which declares no parameters: add them to custom.parameters in its METADATA", rule.Name)
	}
	at, here := "input.parameters", schema
	for _, step := range path {
		object, _ := resolved(here, schema).(map[string]any)
		properties, lists := object["properties"].(map[string]any)
		name := constantStep(step)
		if items, is := object["items"]; is && name == "" {
			here, at = items, at+"[_]"
			continue
		}
		if !lists || name == "" || isOpen(object) {
			return ""
		}
		property, known := properties[name]
		if at += "." + name; !known {
			return fmt.Sprintf("%s is read for the rule %s, which does not declare it: %s", at, rule.Name, nearest.Suggestion(name, slices.Sorted(maps.Keys(properties))))
		}
		here = property
	}
	return ""
}

// isOpen reports whether an object can have other properties than those that its schema lists.
func isOpen(schema map[string]any) bool {
	for _, key := range []string{"patternProperties", "allOf", "anyOf", "oneOf", "if", "$ref"} {
		if _, has := schema[key]; has {
			return true
		}
	}
	more, said := schema["additionalProperties"]
	return said && more != false
}

// resolved returns the definition to which a reference leads.
func resolved(schema, root any) any {
	for range maxDepth {
		object, _ := schema.(map[string]any)
		ref, is := object["$ref"].(string)
		path, inside := strings.CutPrefix(ref, "#/")
		if !is || !inside {
			return schema
		}
		schema = root
		for step := range strings.SplitSeq(path, "/") {
			object, _ := schema.(map[string]any)
			schema = object[step]
		}
	}
	return nil
}
