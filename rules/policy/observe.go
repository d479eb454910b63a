package policy

import (
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/topdown/print"
)

// maxRemarks limits what one evaluation prints.
const maxRemarks = 100

// Remark is what an evaluation prints, or an error of a function of OPA, which leaves the expression undefined.
type Remark struct {
	// Place is file:line:column in the policy.
	Place, Text string
	Failed      bool
}

// Observer collects the remarks of evaluations, and with Trace set the steps of each.
type Observer struct {
	Remarks []Remark
	Trace   bool
	// Steps is the trace of the last evaluation as text.
	Steps string

	failed []topdown.Error
	tracer *topdown.BufferTracer
}

// options return the options of an evaluation; a nil observer has none.
func (o *Observer) options() []rego.EvalOption {
	if o == nil {
		return nil
	}
	o.failed, o.Steps = nil, ""
	all := []rego.EvalOption{rego.EvalPrintHook(o), rego.EvalBuiltinErrorList(&o.failed)}
	if o.Trace {
		o.tracer = topdown.NewBufferTracer()
		all = append(all, rego.EvalQueryTracer(o.tracer))
	}
	return all
}

// Print implements print.Hook.
func (o *Observer) Print(c print.Context, text string) error {
	o.add(Remark{Place: strings.TrimSuffix(place(c.Location), ": "), Text: text})
	return nil
}

func (o *Observer) add(r Remark) {
	if len(o.Remarks) < maxRemarks {
		o.Remarks = append(o.Remarks, r)
	}
}

// finish adds the errors of functions.
func (o *Observer) finish() {
	if o == nil {
		return
	}
	for _, e := range o.failed {
		o.add(Remark{Place: strings.TrimSuffix(place(e.Location), ": "), Text: e.Message, Failed: true})
	}
	if o.tracer != nil {
		var b strings.Builder
		topdown.PrettyTraceWithLocation(&b, *o.tracer)
		o.Steps, o.tracer = b.String(), nil
	}
}

// String returns the remark as a line.
func (r Remark) String() string {
	if r.Failed {
		return fmt.Sprintf("%s: %s, so the expression is undefined", r.Place, r.Text)
	}
	return fmt.Sprintf("%s: %s", r.Place, r.Text)
}
