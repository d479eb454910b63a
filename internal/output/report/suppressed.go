package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/markdown"
)

// suppressedBy says what silences a finding, and until when. It can contain text from manifests.
func suppressedBy(s *finding.Suppression, p paths) string { return s.Description(p.rel(s.File)) }

// suppressed lists the silenced findings, two lines each.
func (t *text) suppressed(findings []finding.Finding) {
	for _, f := range findings {
		t.header(f, t.paint(faint, "suppressed "+f.Severity.String()), f.Message)
		fmt.Fprintf(t.w, "  %s %s\n", t.paint(blue, "="), safetext.Text(suppressedBy(f.Suppression, t.paths)))
	}
	if len(findings) > 0 {
		fmt.Fprintln(t.w)
	}
}

// jsonSuppressed is a silenced finding.
type jsonSuppressed struct {
	jsonFinding
	Suppression jsonSuppression `json:"suppression"`
}

type jsonSuppression struct {
	By     string `json:"by"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Until  string `json:"until"`
	Reason string `json:"reason"`
}

func jsonSuppressedOf(findings []finding.Finding, p paths) []jsonSuppressed {
	var all []jsonSuppressed
	for _, f := range findings {
		s := jsonSuppression{By: string(f.Suppression.By), File: p.rel(f.Suppression.File), Line: f.Suppression.Line, Reason: f.Suppression.Reason}
		if !f.Suppression.Until.IsZero() {
			s.Until = f.Suppression.Until.Format(time.DateOnly)
		}
		all = append(all, jsonSuppressed{jsonFindingOf(f, p), s})
	}
	return all
}

// junitSuppressedOf is a case that was skipped.
func junitSuppressedOf(f finding.Finding, p paths, names map[string]int) junitCase {
	c := junitCaseOf(f, p, finding.Off, names)
	c.Skipped = &junitSkipped{"suppressed " + f.Severity.String() + ": " + safetext.Text(suppressedBy(f.Suppression, p))}
	return c
}

// suppressed adds a folded table of the silenced findings.
func (m *comment) suppressed() {
	findings := m.result.Suppressed
	if len(findings) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n| | rule | where | why it is not reported |\n|---|---|---|---|\n", words.Count(len(findings), "suppressed finding"))
	left := 0
	for i, f := range findings {
		row := fmt.Sprintf("| %s | %s | %s | %s |\n", severityMark(f.Severity), markdown.Code(f.Rule), markdown.Code(placeOf(f, m.paths)), markdown.Text(suppressedBy(f.Suppression, m.paths)))
		if b.Len()+len(row) > min(markdownFindings, m.Room()-200) {
			left = len(findings) - i
			break
		}
		b.WriteString(row)
	}
	if !m.Part(b.String() + "\n</details>\n") {
		left = len(findings)
	}
	m.cut(left, "suppressed finding")
}

// htmlSuppressed is a row of the table of silenced findings.
type htmlSuppressed struct{ Place, Severity, Rule, Message, Why string }

func (c *htmlContent) suppressed(r *finding.Result, p paths) {
	for i, f := range r.Suppressed {
		if i == pageFindings {
			c.SuppressedLeft = len(r.Suppressed) - i
			return
		}
		c.Suppressed = append(c.Suppressed, htmlSuppressed{
			Place: placeOf(f, p), Severity: f.Severity.String(), Rule: f.Rule, Message: f.Message, Why: suppressedBy(f.Suppression, p),
		})
	}
}
