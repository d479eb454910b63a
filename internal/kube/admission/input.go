package admission

import (
	"context"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	admissionv1 "k8s.io/api/admissionregistration/v1"
)

// input holds the variables of expressions.
type input struct {
	who     Requester
	values  map[string]any
	unknown []*cel.AttributePatternType
}

func newInput(who Requester, attempt Attempt, given params) *input {
	in := &input{who: who, values: map[string]any{
		"request": request(who, attempt), "variables": map[string]any{}, "namespaceObject": nil,
		"authorizer": newAuthorizer(who), presence["object"]: true, presence["oldObject"]: true,
	}}
	in.setUnknown("object")
	in.setUnknown("oldObject")
	if attempt.Operation == string(admissionv1.Create) {
		in.values["oldObject"], in.values[presence["oldObject"]], in.unknown = nil, nil, in.unknown[:1]
	}
	switch {
	case given.declared && given.null:
		in.values["params"] = nil
	case given.declared:
		in.setUnknown("params")
	}
	in.setUnknown("authorizer.requestResource")
	for _, field := range []string{"dryRun", "options"} {
		in.setUnknown("request", field)
	}
	if attempt.Name == "" {
		in.setUnknown("request", "name")
	}
	for _, field := range []string{"uid", "extra"} {
		in.setUnknown("request", "userInfo", field)
	}
	return in
}

// setUnknown makes a variable, or fields of it, unknown.
func (in *input) setUnknown(name string, fields ...string) {
	pattern := cel.AttributePattern(name)
	for _, field := range fields {
		pattern = pattern.QualString(field)
	}
	in.unknown = append(in.unknown, pattern)
}

// setVariable stores the value of a variable. An error is an error of every expression that uses it, as in the API server.
func (in *input) setVariable(name string, value ref.Val) {
	if types.IsUnknown(value) {
		in.setUnknown("variables", name)
		return
	}
	in.values["variables"].(map[string]any)[name] = value
}

// evaluate returns an unknown value for a result that depends on unknown values, and an error if there is no result.
func (in *input) evaluate(ctx context.Context, program cel.Program) ref.Val {
	vars, err := cel.PartialVars(in.values, in.unknown...)
	if err != nil {
		return types.WrapErr(err)
	}
	value, _, err := program.ContextEval(ctx, vars)
	if err != nil {
		return types.WrapErr(err)
	}
	return value
}

// request returns the admission request of a write. As in the API server, empty fields are missing: expressions that use
// the namespace and the subresource fail.
func request(who Requester, attempt Attempt) map[string]any {
	resource := map[string]any{"group": attempt.Group, "version": servedVersion, "resource": attempt.Resource}
	kind := map[string]any{"group": attempt.Group, "version": servedVersion, "kind": kinds[attempt.Resource]}
	return map[string]any{
		"operation": attempt.Operation, "resource": resource, "requestResource": resource, "kind": kind, "requestKind": kind,
		"name": attempt.Name, "userInfo": map[string]any{"username": who.User, "groups": who.Groups},
	}
}

// kinds are the kinds of the resources that define what OLM installs.
var kinds = map[string]string{
	"clusterextensions": "ClusterExtension", "clusterobjectsets": "ClusterObjectSet", "clustercatalogs": "ClusterCatalog",
}
