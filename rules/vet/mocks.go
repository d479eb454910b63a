package vet

import (
	"fmt"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/base/nearest"
)

// checkMock reports a `with` in a test that changes nothing: data that nothing reads, or a field that the input does not have.
func (c *checker) checkMock(s *scope, with *ast.With) {
	target, is := with.Target.Value.(ast.Ref)
	switch {
	case !is:
	case target[0].Equal(ast.InputRootDocument):
		c.checkInput(s, with, target, with.Value, 0)
	case target[0].Equal(ast.DefaultRootDocument) && !isOwnPackage(with.Target):
		c.checkDataMock(with.Target.Location, target)
	}
}

// checkDataMock reports data that neither a policy nor a test reads.
func (c *checker) checkDataMock(at *ast.Location, target ast.Ref) {
	if slices.ContainsFunc(c.Reads, func(read ast.Ref) bool { return read.HasPrefix(target) || target.HasPrefix(read) }) {
		return
	}
	for length := 2; length <= len(target); length++ {
		beside, name := c.namesReadBelow(target[:length-1]), constantStep(target[length-1])
		if slices.Contains(beside, name) {
			continue
		}
		if meant := nearest.Name(name, beside); meant != "" {
			c.fail(at, "nothing reads %v, so the mock has no effect: did you mean %v?", target, target[:length-1].Append(ast.StringTerm(meant)))
			return
		}
		break
	}
	c.fail(at, "nothing reads %v, so the mock has no effect: correct its name, or remove it", target)
}

// namesReadBelow returns the names that are read below a path into data.
func (c *checker) namesReadBelow(path ast.Ref) []string {
	var names []string
	for _, read := range c.Reads {
		if len(read) > len(path) && read.HasPrefix(path) {
			names = append(names, constantStep(read[len(path)]))
		}
	}
	return names
}

// checkInput reports the parts of a mocked input that no rule gets.
func (c *checker) checkInput(s *scope, with *ast.With, path ast.Ref, value *ast.Term, depth int) {
	if depth > maxDepth {
		return
	}
	if problem := c.inputProblem(path); problem != "" {
		c.fail(with.Target.Location, "%s", problem)
		return
	}
	switch v := value.Value.(type) {
	case ast.Object:
		v.Foreach(func(key, item *ast.Term) {
			if constantStep(key) != "" {
				c.checkInput(s, with, path.Append(key), item, depth+1)
			}
		})
	case *ast.Array:
		for i := range v.Len() {
			c.checkInput(s, with, path.Append(ast.IntNumberTerm(i)), v.Elem(i), depth+1)
		}
	case ast.Var:
		for _, defined := range s.definitions[v] {
			c.checkInput(s, with, path, defined, depth+1)
		}
		for _, made := range s.outputs[v] {
			c.checkResult(s, with, path, made.Operator(), made.Operands(), depth+1)
		}
	case ast.Ref:
		c.checkResult(s, with, path, v, nil, depth+1)
	}
}

// checkResult is checkInput for what a definition of a test, or a function with arguments, returns.
func (c *checker) checkResult(s *scope, with *ast.With, path, definition ast.Ref, args []*ast.Term, depth int) {
	for _, rule := range c.Compiler.GetRulesExact(definition) {
		for _, in := range c.scopesOf(rule) {
			if in.rule.Head.Value == nil || in.rule.Head.DocKind() != ast.CompleteDoc {
				continue
			}
			in.addCaller(s, args)
			c.checkInput(in, with, path, in.rule.Head.Value, depth)
		}
	}
}

// addCaller makes the arguments of a function equal to those of a call. The compiler gives all variables of a module different names.
func (s *scope) addCaller(caller *scope, args []*ast.Term) {
	maps.Copy(s.definitions, caller.definitions)
	maps.Copy(s.outputs, caller.outputs)
	for i, argument := range s.rule.Head.Args {
		if v, is := argument.Value.(ast.Var); is && i < len(args) {
			s.definitions[v] = []*ast.Term{args[i]}
		}
	}
}

// objectFields are fields of objects with which the input of other programs begins.
var objectFields = []string{"apiVersion", "kind", "metadata", "spec", "data", "rules", "roleRef", "subjects", "object", "review", "request"}

// inputProblem returns what is wrong with a path into the input; "" if rules get such a field.
func (c *checker) inputProblem(path ast.Ref) string {
	if len(path) > 2 && path[1].Equal(parametersTerm) {
		return c.parameterProblem(path[2:])
	}
	for length := 2; length <= len(path); length++ {
		parent, _ := fieldOf(inputSchema(), path[1:length-1])
		if _, missing := fieldOf(inputSchema(), path[1:length]); missing != "" {
			known, _ := parent["properties"].(map[string]any)
			remedy := nearest.Suggestion(missing, slices.Sorted(maps.Keys(known)))
			if length == 2 && slices.Contains(objectFields, missing) {
				remedy = "the object is input.resource"
			}
			return fmt.Sprintf("no rule gets %v, so the mock has no effect: %s", path[:length], remedy)
		}
	}
	return objectProblem(path)
}

var parametersRef = ast.Ref{ast.InputRootDocument, parametersTerm}

// parameterProblem returns what is wrong with a parameter; "" if a rule declares it.
func (c *checker) parameterProblem(path ast.Ref) string {
	for _, rule := range c.Rules {
		if missingParameter(rule, schemaOf(rule), path) == "" {
			return ""
		}
	}
	var known []string
	for _, rule := range c.Rules {
		properties, _ := fieldOf(schemaOf(rule), nil)
		names, _ := properties["properties"].(map[string]any)
		known = slices.AppendSeq(known, maps.Keys(names))
	}
	if len(known) == 0 {
		return "no rule declares parameters, so the mock has no effect: add custom.parameters to the METADATA of the rule"
	}
	slices.Sort(known)
	return fmt.Sprintf("no rule declares %v, so the mock has no effect: %s", parametersRef.Concat(path), nearest.Suggestion(constantStep(path[0]), slices.Compact(known)))
}
