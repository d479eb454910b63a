package fixing

import (
	"fmt"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/proof/verify"
)

// fieldFixers are the fixers that set or remove the account of an extension, depending on the target.
var fieldFixers = []string{"add-service-account", "remove-service-account"}

// reversedNotes returns a note for each unit in which a fix sets or removes the account of an extension although the target of the unit
// without --target needs the opposite: the next run without the flag reverses the fix.
func (w *planner) reversedNotes(all []result, proof verify.Proof) ([]string, error) {
	if w.round.options.Target == "" || w.round.options.Target == "auto" {
		return nil, nil
	}
	own, err := loader.ReadRequestedTargets("", w.round.options.Config)
	if err != nil {
		return nil, err
	}
	targets := w.round.judge.TargetsFor(own.For)
	var notes []string
	proven := engine.SetOf(proof.Plans)
	for _, m := range all {
		if m.plan == nil || !slices.Contains(fieldFixers, m.plan.Fixer) || !proven[m.plan] {
			continue
		}
		before := targets.Of(m.Unit, m.Report.Object)
		if before.Known && !before.Asked && before.Target.Model != m.Resolved.Target.Model { // a configured one is changed by the same run
			notes = words.AddOnce(notes, reversedNote(m, before))
		}
	}
	return notes, nil
}

func reversedNote(m result, before loader.ResolvedTarget) string {
	unit := m.Unit.String()
	if m.Unit.Kind == objects.PlainUnit {
		unit = m.File
	}
	return fmt.Sprintf("without --target, the target of %s is %s, detected from %s: set it to %s in .salint.yaml in the same commit, or the next `salint lint --fix` reverses this fix",
		unit, before.Target.Name, before.DetectedFrom, m.Resolved.Target.Name)
}
