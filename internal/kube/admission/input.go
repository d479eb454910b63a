package admission

import (
	"context"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	admissionv1 "k8s.io/api/admissionregistration/v1"
)

// input is what expressions see.
type input struct {
	who     Who
	values  map[string]any
	unknown []*cel.AttributePatternType
}

func newInput(who Who, attempt Attempt, given params) *input {
	in := &input{who: who, values: map[string]any{
		"request": request(who, attempt), "variables": map[string]any{}, "namespaceObject": nil,
		"authorizer": newAuthorizer(who), presence["object"]: true, presence["oldObject"]: true,
	}}
	in.leaveOpen("object")
	in.leaveOpen("oldObject")
	if attempt.Operation == string(admissionv1.Create) {
		in.values["oldObject"], in.values[presence["oldObject"]], in.unknown = nil, nil, in.unknown[:1]
	}
	switch {
	case given.declared && given.null:
		in.values["params"] = nil
	case given.declared:
		in.leaveOpen("params")
	}
	in.leaveOpen("authorizer.requestResource")
	for _, field := range []string{"dryRun", "options"} {
		in.leaveOpen("request", field)
	}
	if attempt.Name == "" {
		in.leaveOpen("request", "name")
	}
	for _, field := range []string{"uid", "extra"} {
		in.leaveOpen("request", "userInfo", field)
	}
	return in
}

// leaveOpen says that a variable, or a field of it, has a value that nobody knows.
func (in *input) leaveOpen(name string, fields ...string) {
	pattern := cel.AttributePattern(name)
	for _, field := range fields {
		pattern = pattern.QualString(field)
	}
	in.unknown = append(in.unknown, pattern)
}

// setVariable keeps what a variable is, errors included: they are those of every expression that uses it, as in the API server.
func (in *input) setVariable(name string, value ref.Val) {
	if types.IsUnknown(value) {
		in.leaveOpen("variables", name)
		return
	}
	in.values["variables"].(map[string]any)[name] = value
}

// evaluate returns an unknown value for what depends on what is not known, and an error for what has no value.
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

// request is what admission knows of a write by somebody. As in the API server it lacks the fields that are empty: the
// namespace and the subresource fail where somebody asks for them.
func request(who Who, attempt Attempt) map[string]any {
	resource := map[string]any{"group": attempt.Group, "version": servedVersion, "resource": attempt.Resource}
	kind := map[string]any{"group": attempt.Group, "version": servedVersion, "kind": kinds[attempt.Resource]}
	return map[string]any{
		"operation": attempt.Operation, "resource": resource, "requestResource": resource, "kind": kind, "requestKind": kind,
		"name": attempt.Name, "userInfo": map[string]any{"username": who.User, "groups": who.Groups},
	}
}

// kinds are those behind the resources by which OLM is told what to install.
var kinds = map[string]string{
	"clusterextensions": "ClusterExtension", "clusterobjectsets": "ClusterObjectSet", "clustercatalogs": "ClusterCatalog",
}
