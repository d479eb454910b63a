package vet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/base/nearest"
)

var (
	kindForm    = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	versionForm = regexp.MustCompile(`^([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?v[0-9]+((alpha|beta)[0-9]+)?$`)
)

// choices are the values that fields of the input can have.
var choices = map[string][]string{
	"input.model":        {"required", "synthetic", "ignored", "removed", "unknown"},
	"input.target.model": {"required", "synthetic", "ignored", "removed", "unknown"},
	"input.unit.kind":    {"plain", "kustomization", "chart", "application", "embedded"},
}

// compared is a comparison of the kind of input.resource with a constant.
type compared struct {
	at      *ast.Location
	value   string
	negated bool
}

// checkComparisons reports comparisons with a constant that a field never has.
func (c *checker) checkComparisons(scopes []*scope) {
	kinds := map[string][]compared{}
	for _, s := range scopes {
		for _, e := range s.exprs {
			for _, pair := range pairsOf(e) {
				for _, ref := range c.fullRefs(s, pair.field) {
					kinds[e.Location.File] = append(kinds[e.Location.File], c.checkComparison(s, e, ref, pair)...)
				}
			}
		}
	}
	for _, rule := range c.Rules {
		c.checkKindsOf(rule, kinds[fileOf(c.Compiler.Modules[rule.Key])])
	}
}

func fileOf(module *ast.Module) string { return module.Package.Location.File }

// pair is a field, and the constant or the collection with which it is compared.
type pair struct {
	field, constant *ast.Term
	member, differs bool
}

// pairsOf returns what an expression compares; nil for others.
func pairsOf(e *ast.Expr) []pair {
	if !e.IsCall() || len(e.Operands()) < 2 {
		return nil
	}
	a, b := e.Operand(0), e.Operand(1)
	switch e.Operator().String() {
	case ast.Equality.Name, ast.Equal.Name:
		return []pair{{field: a, constant: b, differs: e.Negated}, {field: b, constant: a, differs: e.Negated}}
	case ast.NotEqual.Name:
		return []pair{{field: a, constant: b, differs: true}, {field: b, constant: a, differs: true}}
	case ast.Member.Name:
		return []pair{{field: a, constant: b, member: true, differs: e.Negated}}
	}
	return nil
}

// fullRefs returns the references of a field, through variables and arguments of functions.
func (c *checker) fullRefs(s *scope, t *ast.Term) []ast.Ref {
	if _, isVar := t.Value.(ast.Var); !isVar {
		if _, isRef := t.Value.(ast.Ref); !isRef {
			return nil
		}
	}
	return c.originOf(nil, s, t, 0)
}

func (c *checker) checkComparison(s *scope, e *ast.Expr, ref ast.Ref, p pair) (kinds []compared) {
	var texts []string
	for _, value := range c.values(s, p.constant, 0) {
		if p.member {
			each(value, func(t *ast.Term) { texts = append(texts, constantStep(t)) })
		} else {
			texts = append(texts, constantStep(ast.NewTerm(value)))
		}
	}
	field := ref.String()
	last := constantStep(ref[len(ref)-1])
	ofObject := len(ref) > 1 && constantStep(ref[len(ref)-2]) == "resource"
	for _, text := range texts {
		switch known := choices[field]; {
		case text == "":
		case known != nil && !slices.Contains(known, text):
			c.fail(e.Location, "%s is never %q: %s", field, text, nearest.Suggestion(text, known))
		case ofObject && last == "kind" && !kindForm.MatchString(text):
			c.fail(e.Location, "the kind of an object is never %q: %s", text, kindRemedy(text))
		case ofObject && last == "apiVersion" && !versionForm.MatchString(text):
			c.fail(e.Location, "the apiVersion of an object is never %q: it is VERSION, or GROUP/VERSION as in apps/v1", text)
		case field == "input.resource.kind":
			kinds = append(kinds, compared{e.Location, text, p.differs})
		}
	}
	return kinds
}

func kindRemedy(text string) string {
	if kind, _, dotted := strings.Cut(text, "."); dotted && kindForm.MatchString(kind) {
		return fmt.Sprintf("compare with %q, and its group in input.resource.apiVersion", kind)
	}
	return "it is a word that begins with a capital letter, as in Deployment"
}

// checkKindsOf reports a rule that compares the kind of its object with other kinds than its own only.
func (c *checker) checkKindsOf(rule Rule, kinds []compared) {
	if len(rule.Kinds) == 0 || len(kinds) == 0 {
		return
	}
	isOwn := func(k compared) bool { return slices.Contains(rule.Kinds, k.value) || k.negated }
	if slices.ContainsFunc(kinds, isOwn) {
		return
	}
	for _, k := range kinds {
		c.fail(k.at, "input.resource.kind is never %q: custom.kinds of the rule has %s", k.value, strings.Join(rule.Kinds, ", "))
	}
}
