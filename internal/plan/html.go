package plan

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"

	"github.com/salint/salint/internal/printable"
)

//go:embed page.css
var style string

//go:embed page.html
var page string

// HTML writes a plan as one page that needs nothing else: no network, no script. Its policy allows its own style and no more.
func (p *Plan) HTML(w io.Writer) error {
	return pageTemplate.Execute(w, pageOf(p))
}

// maxOpen is for how many extensions the reasons are shown without a click.
const maxOpen = 20

// maxReasons is for how many extensions the reasons are on the page.
const maxReasons = 500

// What the page shows, in the words of the text format.
type (
	htmlPage struct {
		Policy, Style template.HTML
		Plan          *Plan
		Summary       string
		Columns       []string
		Rows          []htmlRow
		Ways          []htmlWay
		ClaimsTitle   string
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
		Status                                           Status
		On, Reason, Rule, Refused, Shared, When, Command string
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

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"text": printable.Text, "last": last}).Parse(page))

func pageOf(p *Plan) htmlPage {
	sum := sha256.Sum256([]byte(style))
	out := htmlPage{
		Policy: template.HTML("default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"),
		Style:  template.HTML("<style>" + style + "</style>"), // ours, and byte for byte what the policy allows
		Plan:   p, Summary: (&markdown{plan: p}).summary(), ClaimsTitle: claimsTitle, Open: len(p.Extensions) <= maxOpen,
	}
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
		Status: o.Status, On: strings.Join(o.targets, ", "), Reason: o.Reason, Rule: o.Rule, Refused: o.Refused, Shared: o.Shared, Command: o.Command,
	}
	if o.Command != "" {
		shown.When = o.moment()
	}
	return shown
}
