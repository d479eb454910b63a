package silence

import (
	"fmt"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/glob"
)

// Allowance counts the findings that are silenced, against limits. A nil allowance has none.
type Allowance struct {
	limits []settings.IgnoreLimit
	used   []int
	// known are the decisions, because one finding can be listed several times.
	known map[finding.Identity]*settings.IgnoreLimit
}

// NewAllowance returns an allowance of which nothing is used; nil without limits.
func NewAllowance(limits []settings.IgnoreLimit) *Allowance {
	if len(limits) == 0 {
		return nil
	}
	return &Allowance{limits, make([]int, len(limits)), map[finding.Identity]*settings.IgnoreLimit{}}
}

// exceeded counts a finding as silenced. If a limit does not allow that, it returns the limit, and the finding does not count. The note that
// a finding is not fixed is never counted.
func (a *Allowance) exceeded(f finding.Finding) *settings.IgnoreLimit {
	if a == nil || f.Rule == finding.RuleUnfixable.Name {
		return nil
	}
	if limit, known := a.known[f.Shown()]; known {
		return limit
	}
	limit := a.decide(f.Rule)
	a.known[f.Shown()] = limit
	return limit
}

func (a *Allowance) decide(rule string) *settings.IgnoreLimit {
	var of []int
	for i, limit := range a.limits {
		if limit.Pattern != "" && !glob.Rule(limit.Pattern, rule) {
			continue
		}
		if a.used[i] >= limit.Max {
			return &a.limits[i]
		}
		of = append(of, i)
	}
	for _, i := range of {
		a.used[i]++
	}
	return nil
}

// Allowed separates the findings of the baseline that limits allow to silence, in the order of files and lines. If there are others, it returns
// a note at the baseline as well.
func (a *Allowance) Allowed(known []finding.Finding, baseline string) (allowed, notes []finding.Finding) {
	if a == nil {
		return known, nil
	}
	finding.Sort(known)
	var over *settings.IgnoreLimit
	n := 0
	for _, f := range known {
		limit := a.exceeded(f)
		if limit == nil {
			allowed = append(allowed, f)
			continue
		}
		over, n = limit, n+1
	}
	if over == nil {
		return allowed, nil
	}
	message := fmt.Sprintf("this baseline does not count for %s: %s", words.Count(n, "finding"), limitText(over))
	return allowed, []finding.Finding{{Rule: NoteRule, Severity: finding.Note, Message: message, File: baseline, Range: finding.Range{Line: 1, Column: 1}}}
}

// limitText says what a limit allows.
func limitText(limit *settings.IgnoreLimit) string {
	of := ""
	if limit.Pattern != "" {
		of = " of " + limit.Pattern
	}
	return fmt.Sprintf("%s allows to silence %s%s", limit.From, words.Count(limit.Max, "finding"), of)
}
