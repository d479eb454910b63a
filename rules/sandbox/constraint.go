package sandbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/rules/policy"
)

// constraintTime limits the evaluation of a template of Gatekeeper for one input.
const constraintTime = time.Second

// violationsRequest evaluates a template of Gatekeeper for inputs, which are JSON.
type violationsRequest struct {
	Template admission.Template
	Inputs   []string
}

// Violations reports for each of the inputs, which are JSON, whether it violates a template of Gatekeeper. The error says why that is not known.
func (s *Sandbox) Violations(ctx context.Context, template admission.Template, inputs []string) ([]bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := compileTime + time.Duration(len(inputs))*constraintTime
	result, err := s.exchange(ctx, toChild{Violations: &violationsRequest{template, inputs}}, limit, nil)
	if err != nil {
		return nil, err
	}
	if len(result.Violates) != len(inputs) {
		return nil, errors.New("internal error: an input without a result")
	}
	return result.Violates, nil
}

// violations evaluates a template. What depends on who makes the request is not known.
func (c *sandboxChild) violations(request violationsRequest) (result sandboxResult, err error) {
	template := request.Template
	if strings.Contains(template.Rego+strings.Join(template.Libraries, ""), "userInfo") {
		return result, errors.New("it depends on the user")
	}
	compiler, pkg, err := policy.CompileForeign(template.Rego, template.Libraries, template.V1)
	if err != nil {
		return result, err
	}
	query, err := policy.Prepare(context.Background(), compiler, pkg+".violation", nil, nil)
	if err != nil {
		return result, err
	}
	for _, text := range request.Inputs {
		input, err := ast.ValueFromReader(strings.NewReader(text))
		if err != nil {
			return result, err
		}
		value, err := query.Evaluate(context.Background(), input, nil, policy.Limits{Time: constraintTime, Memory: userMemory})
		if err != nil {
			return result, err
		}
		found, is := value.(ast.Set)
		if !is {
			return result, fmt.Errorf("%s.violation is not a set", pkg)
		}
		result.Violates = append(result.Violates, found.Len() > 0)
	}
	return result, nil
}
