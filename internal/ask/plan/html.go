package plan

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/output/page"
)

//go:embed page.html
var content string

// HTML writes a plan as one self-contained page, without network access or scripts. Its policy allows only its own style.
func (p *Plan) HTML(w io.Writer) error {
	head := page.Head{
		Kind: strings.TrimSpace("plan " + safetext.Text(p.Repository)), Title: "Plan for the extensions", Lead: (&markdown{plan: p}).summary(), Contents: p.contents(),
		Version: p.Version, Foot: "No files were changed.",
	}
	head.Lead = strings.TrimSpace(head.Lead)
	return page.Write(w, pageTemplate(), head, pageOf(p))
}

// contents returns the sections of the page.
func (p *Plan) contents() []page.Section {
	var all []page.Section
	for _, s := range []struct {
		there bool
		page.Section
	}{
		{len(p.Extensions) > 0, page.Section{ID: "table", Title: "Extensions by targets"}},
		{len(p.Extensions) > 0, page.Section{ID: "transitions", Title: "Upgrades and downgrades"}},
		{len(p.Extensions) > 0 && len(p.Cluster) > 0, page.Section{ID: "cluster", Title: "The cluster"}},
		{len(p.Extensions) > 0 && len(p.Corrections()) > 0, page.Section{ID: "corrections", Title: "Corrections to the proposals"}},
		{len(p.Extensions) > 0, page.Section{ID: "why", Title: "Reasons"}},
		{len(p.Leftovers) > 0, page.Section{ID: "leftovers", Title: "Left over"}},
		{len(p.NotChecked) > 0, page.Section{ID: "unread", Title: "Not checked"}},
	} {
		if s.there {
			all = append(all, s.Section)
		}
	}
	return all
}

// maxOpen is the maximum number of extensions whose reasons are shown without a click.
const maxOpen = 20

// maxReasons is the maximum number of extensions whose reasons are on the page.
const maxReasons = 500

// The data of the page, in the words of the text format.
type (
	htmlPage struct {
		Plan    *Plan
		Columns []string
		// Table has one row for the extensions of one name with the same results, and Rows has the reasons of each.
		Table, Rows      []htmlRow
		Transitions      []htmlTransition
		CorrectionsTitle string
		// Open shows the reasons without a click, unless there are too many to read.
		Open bool
		// Left is how many extensions have no reasons on the page, to keep it small enough to load.
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
	htmlTransition struct {
		Title string
		Steps []htmlStep
	}
	htmlStep struct {
		Step
		Kind    string
		Effects []string
	}
)

var pageTemplate = sync.OnceValue(func() *template.Template { return page.Template(content, template.FuncMap{"last": last}) })

func pageOf(p *Plan) htmlPage {
	out := htmlPage{Plan: p, CorrectionsTitle: correctionsTitle, Open: len(p.Extensions) <= maxOpen}
	columns := p.columns()
	for _, c := range columns {
		out.Columns = append(out.Columns, p.name(c))
	}
	ids := map[string]int{}
	for i, e := range p.Extensions {
		ids[e.Label] = i
		row := htmlRow{ID: i, Label: e.Label, Where: where(e)}
		if i < maxReasons {
			for _, o := range p.outcomes(e, columns) {
				row.Outcomes = append(row.Outcomes, htmlOutcomeOf(o))
			}
		} else {
			out.Left++
		}
		out.Rows = append(out.Rows, row)
	}
	for _, g := range p.briefGroups(columns) {
		row := htmlRow{ID: ids[g.Label], Label: g.title()}
		for _, c := range columns {
			row.Cells = append(row.Cells, g.Cells[c.first].Status)
		}
		row.Outcomes = out.Rows[row.ID].Outcomes
		out.Table = append(out.Table, row)
	}
	for _, transition := range p.Transitions {
		shown := htmlTransition{Title: title(transition)}
		for _, s := range transition.Steps {
			shown.Steps = append(shown.Steps, htmlStep{s, strings.TrimSpace(kindOf(s)), p.effectLines(s.Effects)})
		}
		out.Transitions = append(out.Transitions, shown)
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
