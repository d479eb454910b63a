package report

import (
	"bufio"
	_ "embed"
	"fmt"
	"strings"

	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/page"
	"github.com/salint/salint/internal/printable"
)

//go:embed content.html
var content string

var pageTemplate = page.Template(content, nil)

// What a page holds at most: beyond that nobody reads it, and browsers become slow. What is left out is counted.
const (
	pageFiles         = 200
	pageDiffLines     = 400  // of one file
	pageDiffTotal     = 6000 // of all
	pageFixed         = 100
	pageCards         = 100
	pageGroupFindings = 50
	pageFindings      = 600
	pageOpenFindings  = 25 // more are folded, unless they are errors
	pageOpenLines     = 400
	pageFrameWidth    = 110
	pageRelated       = 12
)

// htmlContent is what the template content.html shows.
type htmlContent struct {
	Facts          []htmlFact
	Targets        []target
	Mends, Preview bool
	// FixCommand makes the changes, and DiffCommand would show them.
	FixCommand, DiffCommand string
	Fixed                   []fixedLine
	FixedLeft               int
	Changes                 []change
	ChangesLeft             int
	ChangesOpen             bool
	Notes                   []string
	Permissions             *htmlPermissions
	Graph                   *htmlGraph
	Heads                   []string // of arrows, by what changes
	Groups                  []htmlGroup
	GroupsLeft              string
	NotChecked              string
	Checked                 string
}

// htmlFact is a number at the top of the page.
type htmlFact struct {
	Name, Value string
	Says        []string
	// Class is error, warning, good or "".
	Class string
}

// writeHTML writes one page that needs nothing else, for who has to approve a change.
func writeHTML(w *bufio.Writer, r *finding.Result, o Options) error {
	p := pathsOf(r)
	c := &htmlContent{
		Targets: targetsOf(r, p), Mends: r.Mends, Preview: r.Preview, FixCommand: r.FixCommand, Notes: r.Notes,
		Heads: []string{"", "new", "removed"}, Checked: checked(r),
	}
	if r.FixCommand != "" {
		c.DiffCommand = strings.Replace(r.FixCommand, " --fix", " --diff --output html=report.html", 1)
	}
	c.changes(r, p)
	c.Permissions = htmlPermissionsOf(r, p)
	c.Graph = htmlGraphOf(o.Graph, p.rel)
	c.groups(r, p)
	c.facts(r)
	head := page.Head{
		Kind: "report", Title: titleOf(r, c.Targets), Lead: leadOf(r), Contents: c.contents(), Version: r.Version, Foot: footOf(r),
	}
	return page.Write(w, pageTemplate, head, c)
}

func (c *htmlContent) contents() []page.Section {
	var all []page.Section
	for _, s := range []struct {
		there     bool
		id, title string
	}{
		{len(c.Targets) > 0, "target", "What the target does"}, {true, "changes", "What changes"}, {true, "permissions", "Who gains and who loses"},
		{c.Graph != nil, "graph", "Who is bound to what"}, {true, "findings", "What is left open"},
	} {
		if s.there {
			all = append(all, page.Section{ID: s.id, Title: s.title})
		}
	}
	return all
}

// checked says what was looked at.
func checked(r *finding.Result) string {
	files := count(r.Summary.Files, "file")
	if r.Reported > 0 && r.Reported < r.Summary.Files {
		files = fmt.Sprintf("%d of %s", r.Reported, files)
	}
	return fmt.Sprintf("%s (%s)", files, count(r.Summary.Documents, "document"))
}

func footOf(r *finding.Result) string {
	switch {
	case r.Preview || !r.Mends:
		return "Nothing was changed."
	case len(r.Changes) == 0:
		return "There was nothing to change."
	}
	return "The changes were made."
}

// facts are the numbers that decide whether to read on.
func (c *htmlContent) facts(r *finding.Result) {
	c.target()
	if r.Mends || r.Preview {
		added, removed := 0, 0
		for _, change := range c.Changes {
			added, removed = added+change.Added, removed+change.Removed
		}
		says := []string{fmt.Sprintf("+%d −%d lines", added, removed)}
		if c.ChangesLeft > 0 {
			says[0] += " and more"
		}
		c.Facts = append(c.Facts, htmlFact{Name: "Files changed", Value: fmt.Sprint(len(r.Changes)), Says: says})
	}
	if r.Permissions != nil && (r.Mends || r.Preview) {
		c.Facts = append(c.Facts, permissionFact(gainsOf(r.Permissions)))
	}
	s := openSummary(r)
	for _, f := range []struct {
		n           int
		name, class string
	}{{s.Errors, "Errors open", "error"}, {s.Warnings, "Warnings open", "warning"}, {s.Notes, "Notes", ""}} {
		fact := htmlFact{Name: f.name, Value: fmt.Sprint(f.n)}
		if f.n > 0 {
			fact.Class = f.class
		}
		c.Facts = append(c.Facts, fact)
	}
	read := htmlFact{Name: "Files checked", Value: fmt.Sprint(r.Summary.Files), Says: []string{count(r.Summary.Documents, "document")}}
	if r.Reported > 0 && r.Reported < r.Summary.Files {
		read.Says = append(read.Says, fmt.Sprintf("reported on %d", r.Reported))
	}
	if r.Summary.Suppressed > 0 {
		read.Says = append(read.Says, count(r.Summary.Suppressed, "finding")+" silenced")
	}
	c.Facts = append(c.Facts, read)
}

func (c *htmlContent) target() {
	switch len(c.Targets) {
	case 0:
	case 1:
		fact := htmlFact{Name: "Target", Value: c.Targets[0].Name}
		if from := c.Targets[0].DetectedFrom; from != "" {
			fact.Says = []string{"as " + from + " says"}
		}
		c.Facts = append(c.Facts, fact)
	default:
		c.Facts = append(c.Facts, htmlFact{Name: "Targets", Value: fmt.Sprint(len(c.Targets))})
	}
}

func permissionFact(g gains) htmlFact {
	fact := htmlFact{Name: "Permissions", Value: "unchanged", Says: []string{"nobody gains, nobody loses"}, Class: "good"}
	if !g.none() {
		fact = htmlFact{Name: "Permissions", Value: fmt.Sprintf("+%d −%d", g.gain, g.lose), Says: []string{"identities that gain, and that lose"}}
	}
	switch {
	case g.none():
	case g.lose == 0:
		fact.Value, fact.Says = fmt.Sprintf("+%d", g.gain), []string{identities(g.gain) + verb(g.gain, " gains", " gain") + ", nobody loses"}
	case g.gain == 0:
		fact.Value, fact.Says = fmt.Sprintf("−%d", g.lose), []string{identities(g.lose) + verb(g.lose, " loses", " lose") + ", nobody gains"}
	}
	return fact
}

// changes are the diffs, those of large files and of many cut.
func (c *htmlContent) changes(r *finding.Result, p paths) {
	c.Fixed = fixedLines(r, p)
	if c.FixedLeft = max(len(c.Fixed)-pageFixed, 0); c.FixedLeft > 0 {
		c.Fixed = c.Fixed[:pageFixed]
	}
	lines := 0
	for i, file := range r.Changes {
		if i >= pageFiles || lines >= pageDiffTotal {
			c.ChangesLeft = len(r.Changes) - i
			break
		}
		shown := changeOf(file, p, min(pageDiffLines, pageDiffTotal-lines))
		lines += len(shown.Lines)
		c.Changes = append(c.Changes, shown)
	}
	c.ChangesOpen = lines <= pageOpenLines
}

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
			Rule: g.Rule.Name, Title: g.Rule.Title, Description: g.Rule.Description, Severity: g.Severity.String(), Count: count(len(g.Findings), "finding"),
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
			note += ": " + printable.Text(related.Message)
		}
		says = append(says, note)
	}
	if f.Fix != nil && !f.Fix.Applied {
		says = append(says, fmt.Sprintf("fix: %s (%s)", printable.Text(f.Fix.Description), fixHint(f.Fix.Kind)))
	}
	return says
}
