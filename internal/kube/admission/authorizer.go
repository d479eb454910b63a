package admission

import (
	"errors"
	"maps"
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/salint/salint/internal/kube/rbac"
)

// authorizerOptions declare the functions of the authorizer (k8s.io/apiserver, pkg/cel/library/authz.go) that build a
// question, and check, which asks it. Functions for other accounts and for selectors are not declared: expressions that use
// them are unknown.
func authorizerOptions() []cel.EnvOption {
	dynamic := cel.DynType
	var options []cel.EnvOption
	for _, part := range []string{"path", "group", "resource", "subresource", "namespace", "name"} {
		options = append(options, cel.Function(part,
			cel.MemberOverload("question_"+part, []*cel.Type{dynamic, cel.StringType}, dynamic, cel.BinaryBinding(with(part)))))
	}
	return append(options,
		cel.Function("check", cel.MemberOverload("question_check", []*cel.Type{dynamic, cel.StringType}, dynamic, cel.BinaryBinding(check))),
		cel.Function("allowed", cel.MemberOverload("decision_allowed", []*cel.Type{dynamic}, cel.BoolType, cel.UnaryBinding(allowed))),
	)
}

// question is a question to the authorizer: its parts by name. decision is the answer.
type (
	question struct {
		who   Requester
		parts map[string]string
	}
	decision bool
)

func newAuthorizer(who Requester) ref.Val {
	return opaque[question]{question{who: who, parts: map[string]string{}}}
}

func with(part string) func(receiver, value ref.Val) ref.Val {
	return func(receiver, value ref.Val) ref.Val {
		q, isQuestion := receiver.(opaque[question])
		text, isText := value.(types.String)
		if !isQuestion || !isText {
			return types.MaybeNoSuchOverloadErr(receiver)
		}
		parts := maps.Clone(q.value.parts)
		parts[part] = string(text)
		return opaque[question]{question{who: q.value.who, parts: parts}}
	}
}

func check(receiver, verb ref.Val) ref.Val {
	q, isQuestion := receiver.(opaque[question])
	text, isText := verb.(types.String)
	if !isQuestion || !isText || q.value.who.Allowed == nil {
		return types.MaybeNoSuchOverloadErr(receiver)
	}
	parts := q.value.parts
	allowed, known := q.value.who.Allowed(rbac.Request{
		Verb: string(text), Group: parts["group"], Resource: parts["resource"], Subresource: parts["subresource"],
		Name: parts["name"], Namespace: parts["namespace"], Path: parts["path"],
	})
	if !known {
		return types.WrapErr(errNotKnown)
	}
	return opaque[decision]{decision(allowed)}
}

func allowed(receiver ref.Val) ref.Val {
	if d, ok := receiver.(opaque[decision]); ok {
		return types.Bool(d.value)
	}
	return types.MaybeNoSuchOverloadErr(receiver)
}

// opaque is a value that expressions pass between functions without access to its content.
type opaque[T any] struct{ value T }

var opaqueType = types.NewOpaqueType("salint.Opaque")

var errNotKnown = errors.New("not all roles that could allow it are in the repository")

var errOpaque = errors.New("only the functions of the authorizer can be used on it")

func (o opaque[T]) Type() ref.Type                            { return opaqueType }
func (o opaque[T]) Value() any                                { return o.value }
func (o opaque[T]) Equal(ref.Val) ref.Val                     { return types.WrapErr(errOpaque) }
func (o opaque[T]) ConvertToType(ref.Type) ref.Val            { return types.WrapErr(errOpaque) }
func (o opaque[T]) ConvertToNative(reflect.Type) (any, error) { return nil, errOpaque }
