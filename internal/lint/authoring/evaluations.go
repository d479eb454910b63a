package authoring

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evaluate"
	"github.com/salint/salint/rules/sandbox"
)

// Evaluations collects the evaluations of one rule on the objects that the user named. It is safe for concurrent use.
type Evaluations struct {
	Rule string
	// Selected reports whether the user named a file.
	Selected func(file string) bool
	// Dir is the working directory: files of policies in it are shown relative to it.
	Dir string

	mu   sync.Mutex
	list []evaluate.Inspection
}

// Add keeps an evaluation if it is one of the rule on what the user named.
func (e *Evaluations) Add(i evaluate.Inspection) {
	if i.Rule != e.Rule || !i.Asked || !e.concerns(i) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, i)
}

// concerns reports whether an object is in a file that the user named, or whether a unit has such an object.
func (e *Evaluations) concerns(i evaluate.Inspection) bool {
	if i.Object == nil {
		return slices.ContainsFunc(i.Unit.Objects, e.isSelected)
	}
	return e.isSelected(i.Object)
}

func (e *Evaluations) isSelected(o *objects.Object) bool {
	if e.Selected(o.Position(nil).File) {
		return true
	}
	return o.Applied != nil && slices.ContainsFunc(o.Applied.Trace(nil), func(t objects.Trace) bool {
		file, _ := t.Locate()
		return e.Selected(file.Path)
	})
}

// Write prints the evaluations, each with its input, what it printed, its result, and if explain is set its trace. It returns an error
// if there are none.
func (e *Evaluations) Write(w io.Writer, explain bool) error {
	if len(e.list) == 0 {
		return fmt.Errorf("%s was not evaluated: no object that is read from there is of its kinds, or has one of its words (see salint rules %s)", e.Rule, e.Rule)
	}
	slices.SortStableFunc(e.list, func(a, b evaluate.Inspection) int {
		return cmp.Or(strings.Compare(titleOf(a), titleOf(b)), strings.Compare(a.Unit.String(), b.Unit.String()))
	})
	var b strings.Builder
	for i, one := range e.list {
		if i > 0 {
			b.WriteByte('\n')
		}
		if err := writeEvaluation(&b, one, explain); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, strings.ReplaceAll(b.String(), filepath.ToSlash(e.Dir)+"/", ""))
	return err
}

func titleOf(i evaluate.Inspection) string {
	if i.Object == nil {
		return i.Unit.String()
	}
	return fmt.Sprintf("%s: %s, in %s", i.Object.Position(nil), strings.TrimSpace(i.Object.Kind+" "+i.Object.Name), i.Unit)
}

func writeEvaluation(b *strings.Builder, i evaluate.Inspection, explain bool) error {
	shown, err := sandbox.Shown(i.Input, cmp.Or[ast.Value](i.Value, ast.NullValue))
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "%s\n\ninput\n%s", titleOf(i), indented(shown[0]))
	if len(i.Remarks) > 0 {
		b.WriteString("\nprints\n")
		for _, remark := range i.Remarks {
			b.WriteString(indented(remark.String()))
		}
	}
	if explain {
		b.WriteString("\ntrace\n" + indented(strings.TrimRight(i.Steps, "\n")))
	}
	b.WriteString("\nresult: " + resultText(i) + "\n")
	if i.Err == nil && len(i.Reports) > 0 {
		b.WriteString(indented(shown[1]))
	}
	return nil
}

func resultText(i evaluate.Inspection) string {
	switch {
	case i.Err != nil:
		return "the rule failed: " + i.Err.Error()
	case len(i.Reports) == 0:
		return "no findings"
	}
	return words.Count(len(i.Reports), "finding")
}

func indented(text string) string {
	return "  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}
