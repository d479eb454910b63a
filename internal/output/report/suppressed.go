package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/owenrumney/go-sarif/v2/sarif"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/markdown"
)

// suppressedBy says what silences a finding, and until when. It can contain text from manifests.
func suppressedBy(s *finding.Suppression, p paths) string {
	place := p.rel(s.File)
	if s.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, s.Line)
	}
	text := "silenced by the " + string(s.By)
	switch {
	case place == "":
	case s.By == finding.ByBaseline:
		text += " " + place
	default:
		text += " at " + place
	}
	if !s.Until.IsZero() {
		text += " until " + s.Until.Format(time.DateOnly)
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}

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

// sarifSuppression is the suppression of a result. The library writes null for fields that are not set, which SARIF does not allow.
func sarifSuppression(f finding.Finding) *sarif.Suppression {
	kind := "inSource"
	if f.Suppression.By == finding.ByBaseline {
		kind = "external"
	}
	location := sarif.NewLocation()
	if f.Suppression.File != "" {
		location.WithPhysicalLocation(sarifPlace(f.Suppression.File, finding.Range{Line: f.Suppression.Line}))
	}
	return sarif.NewSuppression(kind).WithStatus("accepted").WithLocation(location).WithGuid(guidOf(f.Fingerprint())).
		WithJustifcation(safetext.Text(suppressedBy(f.Suppression, paths{})))
}

// guidOf returns a fingerprint in the form of a name-based UUID: SARIF requires one, and equal runs give equal reports.
func guidOf(fingerprint string) string {
	digits := []byte(fingerprint)
	digits[12], digits[16] = '5', '8'
	text := string(digits)
	return strings.Join([]string{text[:8], text[8:12], text[12:16], text[16:20], text[20:32]}, "-")
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
	fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n| | rule | where | why it is not reported |\n|---|---|---|---|\n", count(len(findings), "suppressed finding"))
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
