package report

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
)

// htmlGroup are the open findings of a rule.
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
	Says                             []string
}

// htmlFrame is a line of source, with the marks below it.
type htmlFrame struct{ Number, Blank, Text, Marks string }

func (c *htmlContent) groups(r *finding.Result, p paths) {
	groups, total, shown := groupsOf(r), 0, 0
	for _, g := range groups {
		total += len(g.Findings)
	}
	sources, says := sourcesOf(r), newSayings(p)
	for i, g := range groups {
		if shown >= pageFindings {
			c.GroupsLeft = fmt.Sprintf("%s of %s are left out: --format json has them all.", count(total-shown, "finding"), count(len(groups)-i, "more rule"))
			break
		}
		out := htmlGroup{
			Rule: g.Rule.Name, Title: g.Rule.Title, Description: firstParagraph(g.Rule.Description), Severity: g.Severity.String(), Count: count(len(g.Findings), "finding"),
			Open: shown+len(g.Findings) <= pageOpenFindings || g.Severity == finding.Error, Command: commandFor(g, r.FixCommand),
		}
		if out.Title == "" {
			out.Title = g.Rule.Name
		}
		if g.Rule.Name == notChecked {
			out.ID = "not-checked"
			c.NotChecked = fmt.Sprintf("%s could not be read or judged.", count(len(g.Findings), "thing"))
		}
		most := min(pageGroupFindings, pageFindings-shown)
		out.Left = max(len(g.Findings)-most, 0)
		for _, f := range g.Findings[:len(g.Findings)-out.Left] {
			out.Findings = append(out.Findings, htmlFindingOf(f, p, sources, says))
		}
		shown += len(out.Findings)
		c.Groups = append(c.Groups, out)
	}
}

// notChecked is the rule by which it is said what was not.
const notChecked = "repo/not-checked"

func htmlFindingOf(f finding.Finding, p paths, sources *sources, says sayings) htmlFinding {
	return htmlFinding{
		Place: placeOf(f, p), Severity: f.Severity.String(), Target: f.Target, Message: f.Message,
		Frame: htmlFrameOf(f, sources), Says: says.of(f),
	}
}

func htmlFrameOf(f finding.Finding, sources *sources) *htmlFrame {
	src := sources.get(f.File)
	if src == nil || f.Range.Line < 1 {
		return nil
	}
	fr, ok := frameOf(src, f.Range, pageFrameWidth)
	if !ok {
		return nil
	}
	number := fmt.Sprint(f.Range.Line)
	return &htmlFrame{number, strings.Repeat(" ", len(number)), fr.text, fr.marks}
}

// sayings are what the text format says below a finding, without its colours.
type sayings struct{ text }

func newSayings(p paths) sayings { return sayings{text{paths: p}} }

func (s sayings) of(f finding.Finding) []string {
	says := s.origin(f)
	for i, related := range f.Related {
		if i == pageRelated {
			says = append(says, fmt.Sprintf("and %s", count(len(f.Related)-i, "more place")))
			break
		}
		note := "see " + s.place(related.File, related.Line, 0)
		if related.Message != "" {
			note += ": " + safetext.Text(related.Message)
		}
		says = append(says, note)
	}
	if f.Fix != nil && !f.Fix.Applied {
		says = append(says, fmt.Sprintf("fix: %s (%s)", safetext.Text(f.Fix.Description), fixHint(f.Fix.Kind)))
	}
	return says
}
