package judging

import (
	"context"
	"errors"
	"slices"

	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules/evaluate"
)

// EvaluateFor judges objects as if their units were applied to a cluster with this target.
func (j *Judge) EvaluateFor(ctx context.Context, evaluator *evaluate.Evaluator, tasks []Task, target olm.Target) ([][]Finding, error) {
	tasks = slices.Clone(tasks)
	err := selectAll(ctx, evaluator, tasks, func(t *Task) {
		t.resolved = j.Targets.Of(t.Unit, t.Object)
		t.resolved.Target, t.resolved.Asked, t.resolved.Known, t.resolved.DetectedFrom = target, false, true, ""
		t.selected = evaluator.Select(j.context(t.Unit, t.resolved), t.Object)
	})
	if err != nil {
		return nil, err
	}
	results := make([][]Finding, len(tasks))
	others := make([]error, len(tasks))
	err = parallel.Do(ctx, len(tasks), func(i int) {
		t := tasks[i]
		reports, err := evaluator.Run(ctx, t.selected)
		others[i] = j.addFailures(t, err)
		for _, report := range reports {
			f := j.finding(t.Unit, t.resolved, report)
			results[i] = append(results[i], Finding{
				Finding: f, Report: report, key: sourceKey(f, report), Unit: t.Unit, Resolved: t.resolved, Selected: true,
			})
		}
	})
	if err != nil {
		return nil, err
	}
	return results, errors.Join(others...)
}
