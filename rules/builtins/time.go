package builtins

import (
	"context"
	"strconv"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/policy"
)

// timeBuiltins read times. The current time is in the input of a policy.
func timeBuiltins() []*policy.Builtin {
	return []*policy.Builtin{
		{
			Name:        "salint.seconds",
			Description: "The seconds from the beginning of 1970 to a time in RFC 3339, for comparing times; undefined for any other value.",
			Decl:        define.Function(define.Number, define.Arg("time", define.String)), Eval: seconds,
		},
	}
}

// seconds reads a time as both the API server and the controllers that decode its objects do. OPA's own function ends with
// the year 2262, but a token can expire in 2999.
func seconds(_ context.Context, args []*ast.Term) (ast.Value, error) {
	text, ok := args[0].Value.(ast.String)
	if !ok {
		return nil, nil
	}
	read, err := time.Parse(time.RFC3339, string(text))
	if err != nil || text[len("2006-01-02T15")] != ':' { // time.Parse accepts an hour of one digit
		return nil, nil
	}
	return ast.Number(strconv.FormatInt(read.Unix(), 10)), nil
}
