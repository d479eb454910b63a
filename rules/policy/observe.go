package policy

import (
	"fmt"
	"path"
	"strings"

	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/topdown/print"

	"github.com/salint/salint/internal/base/lazyregexp"
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
	// Cover collects the lines that evaluations reach; nil collects none.
	Cover *cover.Cover
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
	if o.Cover != nil {
		all = append(all, rego.EvalQueryTracer(o.Cover))
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
		topdown.PrettyTraceWithLocation(&b, shortened(*o.tracer))
		o.Steps, o.tracer = numbered(b.String()), nil
	}
}

// local is a variable that the compiler has made.
var local = lazyregexp.New(`__local[0-9]+__`)

// numbered numbers the variables of the compiler in the order of a trace: their own numbers depend on other policies.
func numbered(trace string) string {
	known := map[string]string{}
	return local().ReplaceAllStringFunc(trace, func(name string) string {
		if known[name] == "" {
			known[name] = fmt.Sprintf("__local%d__", len(known)+1)
		}
		return known[name]
	})
}

// shortened returns the events of a trace with only the last folder of files, because OPA cuts long paths in the middle.
func shortened(events []*topdown.Event) []*topdown.Event {
	short := make([]*topdown.Event, len(events))
	for i, e := range events {
		one := *e
		if one.Location != nil && one.Location.File != "" {
			at := *one.Location
			at.File = path.Join(path.Base(path.Dir(at.File)), path.Base(at.File))
			one.Location = &at
		}
		short[i] = &one
	}
	return short
}

// String returns the remark as a line.
func (r Remark) String() string {
	if r.Failed {
		return fmt.Sprintf("%s: %s, so the expression is undefined", r.Place, r.Text)
	}
	return fmt.Sprintf("%s: %s", r.Place, r.Text)
}
