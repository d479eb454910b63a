package plan

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/salint/salint/internal/output/page"
)

//go:embed page.html
var content string

// HTML writes a plan as one page that needs nothing else: no network, no script. Its policy allows its own style and no more.
func (p *Plan) HTML(w io.Writer) error {
	head := page.Head{
		Kind: "plan", Title: "What becomes of the extensions", Lead: (&markdown{plan: p}).summary(), Contents: p.contents(),
		Version: p.Version, Foot: "Nothing was changed.",
	}
	head.Lead = strings.TrimSpace(head.Lead)
	return page.Write(w, pageTemplate, head, pageOf(p))
}

// contents are the sections that the page has.
func (p *Plan) contents() []page.Section {
	var all []page.Section
	for _, s := range []struct {
		there bool
		page.Section
	}{
		{len(p.Extensions) > 0, page.Section{ID: "table", Title: "Extensions by targets"}},
		{len(p.Extensions) > 0, page.Section{ID: "ways", Title: "Upgrades and downgrades"}},
		{len(p.Extensions) > 0 && len(p.Cluster) > 0, page.Section{ID: "cluster", Title: "The cluster"}},
		{len(p.Extensions) > 0 && len(p.Claims()) > 0, page.Section{ID: "claims", Title: "Where the proposals are not safe"}},
		{len(p.Extensions) > 0, page.Section{ID: "why", Title: "Why"}},
		{len(p.NotChecked) > 0, page.Section{ID: "unread", Title: "Not checked"}},
	} {
		if s.there {
			all = append(all, s.Section)
		}
	}
	return all
}

// maxOpen is for how many extensions the reasons are shown without a click.
const maxOpen = 20

// maxReasons is for how many extensions the reasons are on the page.
const maxReasons = 500

// What the page shows, in the words of the text format.
type (
	htmlPage struct {
		Plan        *Plan
		Columns     []string
		Rows        []htmlRow
		Ways        []htmlWay
		ClaimsTitle string
		// Open shows the reasons at once, where there are not too many of them to be read.
		Open bool
		// Left is how many extensions have no reasons on the page, for there would be too many to load it.
		Left int
	}
	htmlRow struct {
		ID       int
		Label    string
		Where    string
		Cells    []Status
		Outcomes []htmlOutcome
	}
	htmlOutcome struct {
		Status                                                   Status
		On, Reason, Rule, Refused, Shared, Origin, When, Command string
	}
	htmlWay struct {
		Title string
		Steps []htmlStep
	}
	htmlStep struct {
		Step
		Kind string
	}
)

var pageTemplate = page.Template(content, template.FuncMap{"last": last})

func pageOf(p *Plan) htmlPage {
	out := htmlPage{Plan: p, ClaimsTitle: claimsTitle, Open: len(p.Extensions) <= maxOpen}
	columns := p.columns()
	for _, c := range columns {
		out.Columns = append(out.Columns, p.name(c))
	}
	for i, e := range p.Extensions {
		row := htmlRow{ID: i, Label: e.Label, Where: where(e)}
		for _, c := range columns {
			row.Cells = append(row.Cells, e.Cells[c.first].Status)
		}
		if i < maxReasons {
			row.Outcomes = mapped(p.outcomes(e, columns), htmlOutcomeOf)
		} else {
			out.Left++
		}
		out.Rows = append(out.Rows, row)
	}
	for _, way := range p.Transitions {
		shown := htmlWay{Title: title(way)}
		for _, s := range way.Steps {
			shown.Steps = append(shown.Steps, htmlStep{s, strings.TrimSpace(kindOf(s))})
		}
		out.Ways = append(out.Ways, shown)
	}
	return out
}

func last(names []string) string { return names[len(names)-1] }

func htmlOutcomeOf(o outcome) htmlOutcome {
	shown := htmlOutcome{
		Status: o.Status, On: strings.Join(o.targets, ", "), Reason: o.Reason, Rule: o.Rule, Refused: o.Refused, Shared: o.Shared,
		Origin: o.origin(), Command: o.Command,
	}
	if o.Command != "" {
		shown.When = o.moment()
	}
	return shown
}
