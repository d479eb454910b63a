package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// mostNoteLines is how many lines notes about the run itself take, about what was not checked and what is not fixed. If they take more, each is
// one line.
const mostNoteLines = 10

// split separates the notes that are printed as one line each, unless all places are asked for: those that stand for several, with the others
// about what was not checked, and all about the run itself if they take too many lines otherwise. Those that are left after fixes are one line anyway.
func (t *text) split(findings []finding.Finding, areLeft bool) (others []finding.Finding, short []cause) {
	others, joined := joinedNotes(findings)
	short = inPlace(joined)
	if areLeft || t.o.Verbose || t.o.Group == ByPlace {
		return others, short
	}
	isOther := func(f finding.Finding) bool {
		return f.Severity != finding.Note || f.Fix != nil || !strings.HasPrefix(f.Rule, "repo/")
	}
	if len(short)+t.length(slices.DeleteFunc(slices.Clone(others), isOther)) <= mostNoteLines {
		return others, short
	}
	isAboutRun := func(f finding.Finding) bool { return !isOther(f) }
	return slices.DeleteFunc(slices.Clone(findings), isAboutRun), causesOf(slices.DeleteFunc(slices.Clone(findings), isOther), false)
}

// foldUnfixed also folds the notes about what is not fixed, if there are too many about the run.
func (t *text) foldUnfixed(listed, folded []finding.Finding, areLeft bool) (others, more []finding.Finding) {
	_, short := t.split(listed, areLeft)
	lines := len(short)
	if len(folded) > 0 {
		lines++
	}
	if areLeft || t.o.Group == ByFile || t.o.Group == ByRule || lines <= mostNoteLines {
		return listed, folded
	}
	for _, f := range listed {
		if f.Rule == finding.RuleUnfixable.Name && f.Severity == finding.Note && f.Fix == nil {
			more = append(more, f)
		} else {
			others = append(others, f)
		}
	}
	return others, append(more, folded...)
}

// length returns how many lines findings take, with one between two causes.
func (t *text) length(findings []finding.Finding) int {
	var printed strings.Builder
	into := *t
	into.w = bufio.NewWriter(&printed)
	causes := causesOf(findings, false)
	for _, c := range causes {
		into.cause(c)
	}
	into.w.Flush()
	return strings.Count(printed.String(), "\n") + max(len(causes)-1, 0)
}

// lines prints one line for each of some notes.
func (t *text) lines(short []cause) {
	for _, c := range short {
		if n := finding.CountUnchecked(c.first); n > 0 {
			c.first.Message += fmt.Sprintf(" (and %s)", words.Count(n, "more file"))
		}
		t.left(c)
	}
	if len(short) > 0 && !t.o.Quiet {
		fmt.Fprintln(t.w)
	}
}
