package vet

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/metadata"
)

// queries are the functions whose argument is a query for objects.
var queries = []string{
	"salint.find", "salint.lookup", "salint.lookup_refs", "salint.ties", "salint.nearest_of", "salint.anywhere", "salint.refs_anywhere", "salint.placeholders",
	"salint.renamed", "salint.endangered",
}

// subjects are the functions whose argument is a subject.
var subjects = []string{"salint.bindings_of", "salint.effective_rules", "salint.late_grants"}

// subjectKinds are the kinds of subjects.
var subjectKinds = []string{"ServiceAccount", "User", "Group"}

// checkQuery reports a call with a constant argument with which it finds nothing.
func (c *checker) checkQuery(s *scope, e *ast.Expr, name string) {
	switch {
	case name == "salint.seconds":
		for _, value := range c.values(s, e.Operand(0), 0) {
			if !c.Succeeds(name, value) {
				c.fail(e.Location, "salint.seconds is never defined for %v: a time in RFC 3339 is %q", value, "2026-01-31T00:00:00Z")
			}
		}
	case slices.Contains(queries, name):
		kind, group := c.field(s, e, "kind"), c.field(s, e, "group")
		switch {
		case kind == nil || *kind == "":
		case !kindForm.MatchString(*kind):
			c.fail(e.Location, "%s never finds the kind %q: %s", name, *kind, queryRemedy(*kind))
		case group != nil && *group == "core":
			c.fail(e.Location, "%s never finds the group core: the core group is \"\"", name)
		case group != nil:
			if problem := metadata.KindProblem(*kind, *group); problem != "" {
				c.fail(e.Location, "%s never finds %s in the group %q: %s", name, *kind, *group, problem)
			}
		}
	case slices.Contains(subjects, name):
		if kind := c.field(s, e, "kind"); kind != nil && !slices.Contains(subjectKinds, *kind) {
			c.fail(e.Location, "%s is never defined for a subject of the kind %q: it is ServiceAccount, User, or Group", name, *kind)
		}
	}
}

func queryRemedy(kind string) string {
	if problem := metadata.KindProblem(kind, ""); problem != "" {
		return problem
	}
	return `the kind is a word such as Deployment, and "group" its group`
}

// field returns a constant field of the object that is the first argument of a call; nil if it is not known.
func (c *checker) field(s *scope, e *ast.Expr, key string) *string {
	object, is := e.Operand(0).Value.(ast.Object)
	if v, isVar := e.Operand(0).Value.(ast.Var); isVar {
		for _, defined := range s.definitions[v] {
			if known, isObject := defined.Value.(ast.Object); isObject {
				object, is = known, true
			}
		}
	}
	if !is {
		return nil
	}
	t := object.Get(ast.StringTerm(key))
	if t == nil {
		return nil
	}
	for _, value := range c.values(s, t, 0) {
		if text, isText := value.(ast.String); isText {
			return (*string)(&text)
		}
	}
	return nil
}
