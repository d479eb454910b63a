package report

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
	"sync"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/drawings"
	"github.com/salint/salint/internal/output/page"
	"github.com/salint/salint/internal/output/picture"
)

//go:embed content.html
var content string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return page.Template(content, template.FuncMap{"prose": prose})
})

// The limits of a page: longer pages are not read and slow browsers down. What is left out is counted.
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

// htmlContent is the data of the template content.html.
type htmlContent struct {
	Facts           []htmlFact
	Targets         []target
	Fixing, Preview bool
	// FixCommand makes the changes, and DiffCommand shows them.
	FixCommand, DiffCommand string
	Fixed                   []fixedLine
	FixedLeft               int
	Changes                 []change
	ChangesLeft             int
	ChangesOpen             bool
	Notes                   []string
	Permissions             *htmlPermissions
	Graph                   *drawings.Page
	Chains                  *htmlChains
	Heads                   []string // of arrows, by what changes
	Groups                  []htmlGroup
	GroupsLeft              string
	Suppressed              []htmlSuppressed
	SuppressedLeft          int
	NotChecked              string
	Checked                 string
}

// htmlFact is a number at the top of the page.
type htmlFact struct {
	Name, Value string
	Details     []string
	// Word is true if the value is a word. It is longer than a number and is not wrapped.
	Word bool
	// Class is error, warning, good or "".
	Class string
}

// writeHTML writes one self-contained page for the approval of a change.
func writeHTML(w *bufio.Writer, r *finding.Result, o Options) error {
	p := pathsOf(r)
	c := &htmlContent{
		Targets: targetsOf(r, p), Fixing: r.Fixing, Preview: r.Preview, FixCommand: r.FixCommand, Notes: r.Notes,
		Heads: []string{"", "new", "removed"}, Checked: checked(r),
	}
	if r.FixCommand != "" {
		c.DiffCommand = strings.Replace(r.FixCommand, " --fix", " --diff --output html=report.html", 1)
	}
	c.changes(r, p)
	c.Permissions = htmlPermissionsOf(r, p)
	c.Graph = drawings.Of(graphOf(r, o.Graph), p.rel)
	c.Chains = htmlChainsOf(o.Chains)
	c.groups(r, p, o)
	c.suppressed(r, p)
	c.facts(r)
	head := page.Head{
		Kind: strings.TrimSpace("report " + nameOf(r)), Title: verdictOf(r) + ".", Lead: leadOf(r), Contents: c.contents(), Version: r.Version, Foot: strings.TrimSpace(footOf(r) + " " + madeBy(r)),
	}
	return page.Write(w, pageTemplate(), head, c)
}

// AboutFixes reports whether the page begins with what a run changes, or would. Otherwise it begins with what is open.
func (c *htmlContent) AboutFixes() bool { return c.Fixing || c.Preview }

func (c *htmlContent) contents() []page.Section {
	var all []page.Section
	for _, s := range []struct {
		there     bool
		id, title string
	}{
		{!c.AboutFixes(), "findings", "Open findings"}, {!c.AboutFixes() && len(c.Suppressed) > 0, "suppressed", "Suppressed findings"},
		{true, "changes", "Changes"}, {true, "permissions", "Permissions"},
		{c.AboutFixes(), "findings", "Open findings"}, {c.AboutFixes() && len(c.Suppressed) > 0, "suppressed", "Suppressed findings"},
		{c.Graph != nil, "graph", "Bindings and roles"}, {c.Chains != nil, "become", "Who can become an administrator"},
		{len(c.Targets) > 0, "target", "What the releases do"},
	} {
		if s.there {
			all = append(all, page.Section{ID: s.id, Title: s.title})
		}
	}
	return all
}

// checked returns how many files and documents were checked.
func checked(r *finding.Result) string {
	files := words.Count(r.Summary.Files, "file")
	if r.Reported > 0 && r.Reported < r.Summary.Files {
		files = fmt.Sprintf("%d of %s", r.Reported, files)
	}
	return fmt.Sprintf("%s (%s)", files, words.Count(r.Summary.Documents, "document"))
}

// madeBy returns how the report was made; "" if that is not known.
func madeBy(r *finding.Result) string {
	if r.Run == nil {
		return ""
	}
	return r.Run.Sentence(r.Version, r.Origin.Revision)
}

func footOf(r *finding.Result) string {
	switch {
	case r.Preview || !r.Fixing:
		return "No files were changed."
	case len(r.Changes) == 0:
		return "No changes were necessary."
	}
	return "The changes were made."
}

// facts are the numbers in the header of the page.
func (c *htmlContent) facts(r *finding.Result) {
	c.target()
	if r.Fixing || r.Preview {
		added, removed := 0, 0
		for _, change := range c.Changes {
			added, removed = added+change.Added, removed+change.Removed
		}
		details := []string{fmt.Sprintf("+%d −%d lines", added, removed)}
		if c.ChangesLeft > 0 {
			details[0] += " and more"
		}
		c.Facts = append(c.Facts, htmlFact{Name: "Files changed", Value: fmt.Sprint(len(r.Changes)), Details: details})
	}
	if r.Permissions != nil && (r.Fixing || r.Preview) {
		c.Facts = append(c.Facts, permissionFact(gainsOf(r.Permissions), r.Coverage()))
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
	read := htmlFact{Name: "Files checked", Value: fmt.Sprint(r.Summary.Files), Details: []string{words.Count(r.Summary.Documents, "document")}}
	if r.Reported > 0 && r.Reported < r.Summary.Files {
		read.Details = append(read.Details, fmt.Sprintf("reported on %d", r.Reported))
	}
	if r.Summary.Suppressed > 0 {
		read.Details = append(read.Details, words.Count(r.Summary.Suppressed, "finding")+" silenced")
	}
	c.Facts = append(c.Facts, read)
}

func (c *htmlContent) target() {
	switch len(c.Targets) {
	case 0:
	case 1:
		fact := htmlFact{Name: "Target", Value: c.Targets[0].Name, Word: true}
		if from := c.Targets[0].DetectedFrom; from != "" {
			fact.Details = []string{"detected from " + from}
		}
		c.Facts = append(c.Facts, fact)
	default:
		c.Facts = append(c.Facts, htmlFact{Name: "Targets", Value: fmt.Sprint(len(c.Targets))})
	}
}

func permissionFact(g gains, covered finding.Coverage) htmlFact {
	fact := htmlFact{Name: "Permissions", Value: "unchanged", Word: true, Details: []string{covered.Assure("no identity gains or loses")}}
	if covered.Certain() && g.where == "" {
		fact.Class = "good"
	}
	if !g.none() {
		fact = htmlFact{Name: "Permissions", Value: fmt.Sprintf("+%d −%d", g.gain, g.lose), Details: []string{"identities that gain and lose"}}
	}
	switch {
	case g.none():
	case g.lose == 0:
		fact.Value, fact.Details = fmt.Sprintf("+%d", g.gain), []string{words.Count(g.gain, "identity") + verb(g.gain, " gains", " gain") + ", none loses"}
	case g.gain == 0:
		fact.Value, fact.Details = fmt.Sprintf("−%d", g.lose), []string{words.Count(g.lose, "identity") + verb(g.lose, " loses", " lose") + ", none gains"}
	}
	if g.unlimited > 0 {
		fact.Class = ""
		fact.Details = append(fact.Details, words.Count(g.unlimited, "extension")+" no longer limited by an account")
	}
	return fact
}

// changes adds the diffs, and cuts large files and long lists.
func (c *htmlContent) changes(r *finding.Result, p paths) {
	c.Fixed = joinedLines(fixedLines(r, p))
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

// graphOf returns the picture of a report; nil if the run makes changes and none of them is in the picture.
func graphOf(r *finding.Result, g *picture.Graph) *picture.Graph {
	if g != nil && (r.Fixing || r.Preview) && !drawings.HasChange(g) {
		return nil
	}
	return g
}
