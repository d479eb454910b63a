package report

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/output/report/source"
)

// htmlGroup is the open findings of a rule.
type htmlGroup struct {
	ID, Rule, Title, Description, Severity, Count string
	Open                                          bool
	Findings                                      []htmlFinding
	Left                                          int
	Command                                       string
}

type htmlFinding struct {
	Place, Severity, Target, Message string
	Frame                            *htmlFrame
	Details                          []string
}

// htmlFrame is a line of source, with the marks below it.
type htmlFrame struct{ Number, Blank, Text, Marks string }

func (c *htmlContent) groups(r *finding.Result, p paths, o Options) {
	groups, total, shown := groupsOf(r, o), 0, 0
	for _, g := range groups {
		total += len(g.Findings)
	}
	sources, details := source.FilesOf(r), newNoteWriter(p)
	for i, g := range groups {
		if shown >= pageFindings {
			c.GroupsLeft = fmt.Sprintf("%s of %s are not shown: --format json lists all.", words.Count(total-shown, "finding"), words.Count(len(groups)-i, "more rule"))
			break
		}
		out := htmlGroup{
			Rule: g.Rule.Name, Title: g.Rule.Title, Description: firstParagraph(g.Rule.Description), Severity: g.Severity.String(), Count: words.Count(len(g.Findings), "finding"),
			Open: shown+len(g.Findings) <= pageOpenFindings || g.Severity == finding.Error, Command: commandFor(g, r.FixCommand),
		}
		if out.Title == "" {
			out.Title = g.Rule.Name
		}
		if g.Rule.Name == notChecked {
			out.ID = "not-checked"
			c.NotChecked = fmt.Sprintf("%s could not be read or evaluated.", words.Count(len(g.Findings), "item"))
		}
		most := min(pageGroupFindings, pageFindings-shown)
		out.Left = max(len(g.Findings)-most, 0)
		for _, f := range g.Findings[:len(g.Findings)-out.Left] {
			out.Findings = append(out.Findings, htmlFindingOf(f, p, sources, details))
		}
		shown += len(out.Findings)
		c.Groups = append(c.Groups, out)
	}
}

// notChecked is the rule that reports what was not checked.
const notChecked = "repo/not-checked"

func htmlFindingOf(f finding.Finding, p paths, sources *source.Files, details noteWriter) htmlFinding {
	return htmlFinding{
		Place: placeOf(f, p), Severity: f.Severity.String(), Target: knownTarget(f), Message: f.Message,
		Frame: htmlFrameOf(f, sources), Details: details.of(f),
	}
}

func htmlFrameOf(f finding.Finding, sources *source.Files) *htmlFrame {
	src := sources.Get(f.File)
	if src == nil || f.Range.Line < 1 || f.HidesSource() {
		return nil
	}
	fr, ok := src.Frame(f.Range, pageFrameWidth)
	if !ok {
		return nil
	}
	number := fmt.Sprint(f.Range.Line)
	return &htmlFrame{number, strings.Repeat(" ", len(number)), fr.Text, fr.Marks}
}

// noteWriter writes the notes of the text format, without its colors.
type noteWriter struct{ text }

func newNoteWriter(p paths) noteWriter { return noteWriter{text{paths: p}} }

func (s noteWriter) of(f finding.Finding) []string {
	details := s.origin(f)
	for i, related := range f.Related {
		if i == pageRelated {
			details = append(details, fmt.Sprintf("and %s", words.Count(len(f.Related)-i, "more place")))
			break
		}
		note := "see " + s.place(related.File, related.Line, 0)
		if related.Message != "" {
			note += ": " + safetext.Text(related.Message)
		}
		details = append(details, note)
	}
	if f.Fix != nil && !f.Fix.Applied {
		details = append(details, offerText(f.Fix))
	}
	return details
}

// knownTarget returns the target of a finding; "" if it is unknown.
func knownTarget(f finding.Finding) string {
	if f.Target == olm.AutoTarget {
		return ""
	}
	return f.Target
}
