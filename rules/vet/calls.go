package vet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/salint/salint/rules/fixes"
)

// probe are arguments with which a function of OPA succeeds. With one of them replaced by a constant of a policy, the call shows whether
// that constant is valid.
type probe []*ast.Term

var (
	text     = ast.StringTerm("")
	anything = ast.StringTerm(".*")
	one      = ast.NumberTerm("1")
	address  = ast.StringTerm("10.0.0.1")
	network  = ast.StringTerm("10.0.0.0/8")
	version  = ast.StringTerm("1.0.0")
)

var probes = map[string]probe{
	"regex.match": {anything, text}, "regex.split": {anything, text}, "regex.find_n": {anything, text, one},
	"regex.find_all_string_submatch_n": {anything, text, one}, "regex.replace": {text, anything, text},
	"regex.template_match":   {anything, text, ast.StringTerm("{"), ast.StringTerm("}")},
	"glob.match":             {ast.StringTerm("*"), ast.ArrayTerm(), text},
	"net.cidr_contains":      {network, address},
	"net.cidr_intersects":    {network, network},
	"net.cidr_expand":        {ast.StringTerm("10.0.0.0/30")},
	"semver.compare":         {version, version},
	"time.parse_rfc3339_ns":  {ast.StringTerm("2026-01-31T00:00:00Z")},
	"time.parse_duration_ns": {ast.StringTerm("1s")},
	"time.date":              {one},
	"units.parse":            {ast.StringTerm("1K")},
	"units.parse_bytes":      {ast.StringTerm("1K")},
	"to_number":              {ast.StringTerm("1")},
	"json.unmarshal":         {ast.StringTerm("{}")},
	"yaml.unmarshal":         {ast.StringTerm("{}")},
	"base64.decode":          {text},
	"hex.decode":             {text},
}

// checkCalls reports calls of functions of OPA that fail for every input. At run time such a call is undefined, which looks like the answer
// "no".
func (c *checker) checkCalls(s *scope) {
	for _, e := range s.exprs {
		c.checkTruth(s, e)
		if !e.IsCall() {
			continue
		}
		name := e.Operator().String()
		c.checkFormat(s, e)
		c.checkFix(s, e, name)
		c.checkQuery(s, e, name)
		c.checkMember(s, e)
		c.checkTypes(s, e, name)
		base, is := probes[name]
		if !is {
			continue
		}
		for i := range base {
			if i < len(e.Operands()) {
				c.checkArgument(s, e, name, base, i)
			}
		}
	}
}

func (c *checker) checkArgument(s *scope, e *ast.Expr, name string, base probe, i int) {
	if v, is := e.Operand(i).Value.(ast.Var); is && s.isValidated(v) {
		return
	}
	for _, value := range c.values(s, e.Operand(i), 0) {
		args := slices.Clone(base)
		args[i] = ast.NewTerm(value)
		if _, err := evaluate(name, args); err != nil {
			c.fail(e.Location, "%s always fails with %v: %s", name, value, strings.TrimPrefix(err.Error(), name+": "))
		}
	}
}

// checkFix reports a call of lib.with_fix with the name of a fixer that does not exist, with a kind that its fix cannot have, or with
// other arguments.
func (c *checker) checkFix(s *scope, e *ast.Expr, name string) {
	if name != "data.salint.lib.with_fix" || len(e.Operands()) < 4 {
		return
	}
	for _, value := range c.values(s, e.Operand(1), 0) {
		if fixer, is := value.(ast.String); is {
			if err := c.checkFixOf(s, e, string(fixer)); err != nil {
				c.fail(e.Location, "%v", err)
			}
		}
	}
}

func (c *checker) checkFixOf(s *scope, e *ast.Expr, fixer string) error {
	if err := fixes.CheckName(fixer); err != nil {
		return err
	}
	for _, value := range c.values(s, e.Operand(2), 0) {
		if kind, is := value.(ast.String); is {
			if err := fixes.Check(fixer, string(kind), nil); err != nil {
				return err
			}
		}
	}
	for _, value := range c.values(s, e.Operand(3), 0) {
		if err := fixes.CheckArguments(fixer, keysOf(value)); err != nil {
			return err
		}
	}
	if arguments, is := e.Operand(3).Value.(ast.Object); is {
		return fixes.CheckArguments(fixer, keysOf(arguments))
	}
	return nil
}

// keysOf returns the keys of an object that are strings, sorted.
func keysOf(value ast.Value) []string {
	var keys []string
	if object, is := value.(ast.Object); is {
		for _, key := range object.Keys() {
			if text, is := key.Value.(ast.String); is {
				keys = append(keys, string(text))
			}
		}
	}
	return keys
}

// isValidated reports whether a rule itself asks whether a value is valid.
func (s *scope) isValidated(v ast.Var) bool {
	return slices.ContainsFunc(s.exprs, func(e *ast.Expr) bool {
		if !e.IsCall() {
			return false
		}
		switch e.Operator().String() {
		case "regex.is_valid", "semver.is_valid", "net.cidr_is_valid", "json.is_valid", "yaml.is_valid", "base64.is_valid":
			return e.Operand(0).Value.Compare(v) == 0
		}
		return false
	})
}

// evaluate calls a function of OPA; without a value it is undefined.
func evaluate(name string, args []*ast.Term) (value ast.Value, err error) {
	defer func() {
		if recover() != nil { // a function that needs more than its arguments
			value, err = nil, nil
		}
	}()
	function := topdown.GetBuiltin(name)
	if function == nil {
		return nil, nil
	}
	context := topdown.BuiltinContext{Context: context.Background(), Cancel: topdown.NewCancel()}
	err = function(context, args, func(result *ast.Term) error {
		value = result.Value
		return nil
	})
	if halt, is := err.(topdown.Halt); is {
		err = halt.Err
	}
	if err != nil {
		err = fmt.Errorf("%s", plain(err))
	}
	return value, err
}

// plain returns the message of an error of a function without the codes of OPA.
func plain(err error) string {
	if e, is := err.(*topdown.Error); is {
		return e.Message
	}
	return err.Error()
}
