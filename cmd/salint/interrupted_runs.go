package main

import (
	"fmt"

	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/session"
)

// recover takes over what interrupted runs have left, if this run writes files. Other runs only mention it.
func (l *linter) recover() error {
	if !l.ctx.Bool("fix") {
		for _, folder := range l.at.Repo.Writer.Killed(l.ctx.Context) {
			l.notes = append(l.notes, fmt.Sprintf("%s is left from an interrupted run: salint lint --fix with the same flags completes that run and removes it", folder))
		}
		return nil
	}
	records, err := l.at.Repo.Writer.Recover(l.ctx.Context)
	if err != nil {
		return err
	}
	l.options.Leftovers = fixing.ReadLeftovers(records)
	return nil
}

// writeFixes writes the fixes to the files. What interrupted runs have left to prune stays recorded until a run prunes it.
func (l *linter) writeFixes(out *session.Outcome) error {
	for _, file := range l.at.Repo.Writer.HardLinked(out.Writes) {
		l.notes = append(l.notes, file+" has other names (hard links), which keep the old content")
	}
	return l.guard.Write(func() error {
		return l.at.Repo.Writer.Commit(l.ctx.Context, commit.Batch{
			Writes: out.Steps, Record: out.Leftovers.Record(), KeepRecords: !l.ctx.Bool("prune") || out.LeftoversElsewhere,
		})
	})
}
