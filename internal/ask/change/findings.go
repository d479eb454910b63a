package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
)

// Page is the page of the documentation.
const Page = "https://github.com/salint/salint/blob/main/docs/diff.md"

// Rule returns the rule of a change in reports of findings.
func (c Change) Rule() string { return ruleOf(c.Class) }

// ruleOf returns the rule of a class in reports of findings.
func ruleOf(c danger.Class) string {
	if c == danger.None {
		return "diff/gained"
	}
	return "diff/" + string(c)
}

// The rules that are not classes of dangers.
const (
	policyRule    = "diff/admission-policy"
	extensionRule = "diff/acting-identity"
	notReadRule   = "diff/not-read"
	movedRule     = "diff/moved-unit"
)

// Rules returns what reports of findings say about the rules.
func Rules() []finding.RuleInfo {
	severities := map[danger.Class]finding.Severity{
		danger.ClusterAdmin: finding.Error, danger.Escalation: finding.Error, danger.None: finding.Note,
	}
	var rules []finding.RuleInfo
	for _, c := range danger.Classes() {
		rules = append(rules, finding.RuleInfo{
			Name: ruleOf(c), Title: "New power: " + classTitles[c], HelpURI: Page, Severity: cmp.Or(severities[c], finding.Warning),
			Description: "An identity can do more than in the revision that is compared.",
		})
	}
	return append(rules,
		finding.RuleInfo{Name: policyRule, Title: "Weaker admission policy", HelpURI: Page, Severity: finding.Warning,
			Description: "An admission policy is removed, no longer rejects requests, or is changed."},
		finding.RuleInfo{Name: extensionRule, Title: "Another acting identity", HelpURI: Page, Severity: finding.Warning,
			Description: "OLM, Flux, or Argo CD applies objects as another identity than before."},
		finding.RuleInfo{Name: movedRule, Title: "Moved deployment unit", HelpURI: Page, Severity: finding.Note,
			Description: "A deployment unit is compared with one of another name, because they have most of their objects in common."},
		finding.RuleInfo{Name: notReadRule, Title: "Not read", HelpURI: Page, Severity: finding.Warning,
			Description: "Something cannot be read since this change, so new power in it is unknown."},
	)
}

// Findings returns the differences that a reviewer has to judge, as findings: one for each change, with its first holder as the
// place and the others as related places.
func (r *Report) Findings() []finding.Finding {
	var all []finding.Finding
	if r.Nothing {
		all = append(all, finding.Finding{Rule: notReadRule, Severity: finding.Note, Message: r.nothing() + ". Pass another revision, such as HEAD~1."})
	}
	for _, c := range r.Gained {
		all = append(all, c.finding())
	}
	for _, p := range r.Policies {
		all = append(all, finding.Finding{
			Rule: policyRule, Severity: p.Severity, Message: p.Sentence() + inUnits(p.Units) + ". Check that another policy replaces it.",
			File: p.Place.File, Range: rangeAt(p.Place), Resource: finding.Resource{Kind: p.Kind, Namespace: p.Namespace, Name: p.Name},
			Path: string(p.Effect),
		})
	}
	for _, e := range r.Extensions {
		all = append(all, finding.Finding{
			Rule: extensionRule, Severity: e.Severity, Message: e.Sentence() + inUnits(e.Units) + ". Check what that identity can do.",
			File: e.Place.File, Range: rangeAt(e.Place), Resource: finding.Resource{Kind: "ClusterExtension", Name: e.Name}, Path: e.To,
		})
	}
	for _, o := range r.Objects {
		all = append(all, finding.Finding{
			Rule: o.Rule, Severity: o.Severity, Message: upper(o.Sentence()) + inUnits(o.Units) + ". " + o.Advice, File: o.Place.File, Range: rangeAt(o.Place),
			Resource: finding.Resource{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}, Path: o.Text,
		})
	}
	for _, m := range r.Moved {
		all = append(all, finding.Finding{
			Rule: movedRule, Severity: m.Severity, Message: m.Title() + ".", File: m.Place.File, Range: rangeAt(m.Place), Path: m.From + " " + m.To,
		})
	}
	for _, n := range r.NotRead {
		if severity := n.Severity(); severity != finding.Off && !n.IsNewerRevision() {
			all = append(all, finding.Finding{
				Rule: notReadRule, Severity: severity, Message: upper(n.Sentence()) + ". New power in it is unknown.", File: n.Place.File, Range: rangeAt(n.Place),
			})
		}
	}
	return append(all, r.newerRevisions()...)
}

// Warnings counts the errors and warnings by class.
type Warnings struct {
	// Power is that someone gains, and Unread that new content decides and cannot be read.
	Power, Unread int
}

// Warnings counts what is worth a warning.
func (r *Report) Warnings() (w Warnings) {
	for _, f := range r.Findings() {
		switch {
		case f.Severity < finding.Warning:
		case f.Rule == notReadRule:
			w.Unread++
		default:
			w.Power++
		}
	}
	return w
}

// String lists the classes with warnings, "" if there are none.
func (w Warnings) String() string {
	var parts []string
	if w.Power > 0 {
		parts = append(parts, fmt.Sprintf("power: %d", w.Power))
	}
	if w.Unread > 0 {
		parts = append(parts, fmt.Sprintf("unread: %d", w.Unread))
	}
	return strings.Join(parts, ", ")
}

// newerRevisions returns one note about all sources that were not read before either, and have another revision.
func (r *Report) newerRevisions() []finding.Finding {
	f := finding.Finding{Rule: notReadRule, Severity: finding.Note}
	var lines []string
	for _, n := range r.NotRead {
		if !n.IsNewerRevision() {
			continue
		}
		lines = append(lines, n.Revision())
		if len(lines) == 1 {
			f.File, f.Range = n.Place.File, rangeAt(n.Place)
			continue
		}
		f.Related = append(f.Related, finding.Related{File: n.Place.File, Line: n.Place.Line, Message: n.Revision()})
	}
	if len(lines) == 0 {
		return nil
	}
	f.Message = fmt.Sprintf("Not read, at another revision of the same source: %s. What it grants now is unknown.", strings.Join(lines, "; "))
	return []finding.Finding{f}
}

// Annotations returns the differences as findings for formats that mark lines: the gravest first, with one for the line of each holder of
// a new grant.
func (r *Report) Annotations() []finding.Finding {
	own := *r
	own.Gained = nil
	for _, c := range r.Gained {
		own.Gained = append(own.Gained, c.byHolder()...)
	}
	all := own.Findings()
	slices.SortStableFunc(all, func(a, b finding.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return all
}

// byHolder splits a change by the lines of its holders. A widened role is one change, at its rules.
func (c Change) byHolder() []Change {
	if c.Widened {
		return []Change{c}
	}
	var split []Change
	at := map[objects.Position]int{}
	for _, h := range c.Holders {
		if i, known := at[h.Place]; known {
			split[i].Holders = append(split[i].Holders, h)
			continue
		}
		at[h.Place] = len(split)
		one := c
		one.Holders = []Holder{h}
		split = append(split, one)
	}
	return split
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func (c Change) finding() finding.Finding {
	first := c.Holders[0]
	f := finding.Finding{
		Rule: c.Rule(), Severity: c.Severity, Message: c.Title() + inUnits(c.Units) + ". Grant it only if it is needed.",
		Resource: finding.Resource{Kind: first.BindingKind, Name: first.Binding}, AppliedBy: access.RoleName(c.Role),
		Path: access.SubjectName(first.Subject) + " " + first.Scope,
	}
	for _, p := range c.byPlace() {
		switch {
		case p.Place.File == "":
		case f.File == "":
			f.File, f.Range = p.Place.File, rangeAt(p.Place)
		default:
			f.Related = append(f.Related, finding.Related{File: p.Place.File, Line: p.Place.Line, Message: p.Text})
		}
	}
	return f
}

// byPlace lists the bindings and the role of a change, the one that a reviewer has to look at first.
func (c Change) byPlace() []Placed {
	places := c.Through()
	if last := len(places) - 1; c.Widened && len(c.Places) > 0 { // the role is what changed
		return slices.Concat(places[last:], places[:last])
	}
	return places
}

// Place returns the position that a reviewer has to look at first.
func (c Change) Place() objects.Position {
	for _, p := range c.byPlace() {
		if p.Place.File != "" {
			return p.Place
		}
	}
	return objects.Position{}
}

func rangeAt(at objects.Position) finding.Range {
	return finding.Range{Line: at.Line, Column: at.Column, EndLine: at.Line, EndColumn: at.Column + 1}
}

// inUnits names the units of a difference, if there are several.
func inUnits(units []string) string {
	if len(units) < 2 {
		return ""
	}
	return ", in " + some(units)
}
