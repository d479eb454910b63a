package vet

import (
	"cmp"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// CheckTests returns mistakes in tests with which they pass without testing anything: references to what does not exist, mocks of what nothing
// reads, and rules that are not tests.
func CheckTests(p Policies) error {
	c := &checker{Policies: p, calls: map[string][]call{}}
	for _, key := range p.Own {
		module := p.Compiler.Modules[key]
		if module == nil {
			continue
		}
		for _, rule := range module.Rules {
			for _, s := range c.scopesOf(rule) {
				c.checkTest(s)
			}
		}
		c.checkNames(module)
	}
	return c.err()
}

// checkTest reports references to what does not exist, and mocks without an effect. A test can replace optional data that there is not.
func (c *checker) checkTest(s *scope) {
	replaced := map[*ast.Term]bool{}
	for _, e := range s.exprs {
		c.checkTruth(s, e)
		for _, with := range e.With {
			replaced[with.Target] = !isOwnPackage(with.Target)
			c.checkMock(s, with)
		}
	}
	visit := func(t *ast.Term) bool {
		if ref, is := t.Value.(ast.Ref); is && !replaced[t] {
			c.checkData(cmp.Or(t.Location, ref[0].Location, s.rule.Location), ref)
		}
		return false
	}
	ast.WalkTerms(s.rule.Head, visit)
	ast.WalkTerms(s.rule.Body, visit)
}

// isOwnPackage reports whether a reference leads into the packages of policies.
func isOwnPackage(t *ast.Term) bool {
	ref, is := t.Value.(ast.Ref)
	return is && len(ref) > 1 && ref[0].Equal(ast.DefaultRootDocument) && constantStep(ref[1]) == "salint"
}

// checkNames reports tests of one name, and definitions of a file of tests that are not tests, and to which nothing refers.
func (c *checker) checkNames(module *ast.Module) {
	first := map[string]*ast.Location{}
	for _, rule := range module.Rules {
		path := rule.Ref().GroundPrefix()
		name := constantStep(path[len(path)-1])
		switch {
		case rule.Default || name == "" || strings.HasPrefix(name, "todo_test_"):
		case !strings.HasPrefix(name, "test_"):
			if len(rule.Head.Args) == 0 && !c.isReferred(path) {
				c.fail(rule.Location, "nothing refers to %s, and it is not a test: the name of a test begins with test_", name)
			}
		case first[name] != nil:
			c.fail(rule.Location, "line %d defines %s, too, so it passes if one of them is true: choose another name", first[name].Row, name)
		default:
			first[name] = rule.Location
		}
	}
}

// isReferred reports whether a test refers to a definition.
func (c *checker) isReferred(path ast.Ref) bool {
	found := false
	look := func(ref ast.Ref) bool {
		found = found || ref.HasPrefix(path) || path.HasPrefix(ref.ConstantPrefix()) && len(ref.ConstantPrefix()) > 1
		return found
	}
	return slices.ContainsFunc(c.Own, func(key string) bool {
		for _, rule := range c.Compiler.Modules[key].Rules {
			ast.WalkRefs(rule.Body, look)
			ast.WalkRefs(rule.Head, look)
			for other := rule.Else; other != nil && !found; other = other.Else {
				ast.WalkRefs(other.Body, look)
				ast.WalkRefs(other.Head, look)
			}
		}
		return found
	})
}
