package fleetplan

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/output/fleet"
	"github.com/salint/salint/internal/output/page"
)

// Formats are the formats in the order of the help.
var Formats = []string{"text", "json", "csv", "html"}

// Write writes a plan.
func Write(w io.Writer, p *Plan, format, version string) error {
	switch format {
	case "text":
		p.text(w)
		return nil
	case "json":
		return p.json(w, version)
	case "csv":
		return p.csv(w)
	case "html":
		return p.html(w, version)
	}
	return nearest.Unknown("format", format, Formats)
}

// headline returns the totals in a sentence.
func (p *Plan) headline() string {
	t := p.Fleet.Totals()
	return fmt.Sprintf("%s in %s. Now: %d, cluster first: %d, target unknown: %d, done: %d.",
		words.Count(len(p.Entries), "extension"), words.Count(t.Repositories, "repository"),
		p.Count(Now), p.Count(ClusterFirst), p.Count(TargetUnknown), p.Count(Done))
}

// chainsNote says of which repositories the ways to cluster-admin are not all known; "" if of none.
func (p *Plan) chainsNote() string {
	if len(p.WithoutChains) == 0 {
		return ""
	}
	const shown = 5
	note := fmt.Sprintf("Only grants and roles that rules report are known of %s: lint with --chains for all ways through pods, Secrets, and controllers.",
		words.First(shown, p.WithoutChains))
	if len(p.leftOut) > 0 {
		note += fmt.Sprintf(" Some of these can be missing, because findings are left out of the reports of %s.", words.First(shown, p.leftOut))
	}
	return note
}

func (p *Plan) text(w io.Writer) {
	fmt.Fprintln(w, p.headline())
	for _, wave := range Waves() {
		entries := p.in(wave)
		if len(entries) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s (%d)\n", titles[wave], len(entries))
		table := newTable(w, "REPOSITORY", "EXTENSION", "PACKAGE", "CHANNELS", "ACCOUNT", "TARGET", "CLUSTERS", "PLACE", "REMARK")
		for _, e := range entries {
			table.row(e.Repository, e.Name, e.Package, strings.Join(e.Channels, ","), e.account(), e.Target, strings.Join(e.Clusters, ","), e.place(), e.Reason)
		}
		table.flush()
	}
	fmt.Fprint(w, "\nRepositories\n")
	table := newTable(w, "REPOSITORY", "STATE", "NOW", "CLUSTER FIRST", "UNKNOWN", "DONE", "LEFTOVERS", "PACKAGES", "ACCOUNTS")
	for _, r := range p.Repositories() {
		table.row(r.Name, r.State, number(r.Counts[Now]), number(r.Counts[ClusterFirst]), number(r.Counts[TargetUnknown]), number(r.Counts[Done]),
			number(r.Leftovers), strings.Join(r.Packages, ","), strings.Join(r.Accounts, ","))
	}
	table.flush()
	p.textWays(w)
	p.textMissing(w)
}

func (p *Plan) textWays(w io.Writer) {
	fmt.Fprintf(w, "\nWays to cluster-admin (%d)\n", len(p.Ways))
	if note := p.chainsNote(); note != "" {
		fmt.Fprintln(w, safetext.Text(note))
	}
	for _, way := range p.Ways[:min(len(p.Ways), textWays)] {
		fmt.Fprintf(w, "  %s: %s\n", safetext.Text(way.Repository), safetext.Text(way.title()))
		for _, step := range way.Steps {
			fmt.Fprintf(w, "    %s\n", safetext.Text(step))
		}
	}
	if more := len(p.Ways) - textWays; more > 0 {
		fmt.Fprintf(w, "  %d more: --format json lists all\n", more)
	}
	for _, r := range p.Repositories() {
		if len(r.Unknown) > 0 {
			fmt.Fprintf(w, "  %s: what is unknown can add ways: %s\n", safetext.Text(r.Name), safetext.Text(words.First(shownUnknown, r.Unknown)))
		}
	}
}

// The limits of lists for people. The machine formats have no limits.
const (
	textWays     = 50
	shownUnknown = 2
)

func (p *Plan) textMissing(w io.Writer) {
	if len(p.Fleet.Missing)+len(p.Fleet.Problems) == 0 {
		return
	}
	fmt.Fprint(w, "\nNot planned\n")
	for _, m := range p.Fleet.Missing {
		fmt.Fprintf(w, "  %s: %s\n", safetext.Text(m.Name), safetext.Text(m.Why))
	}
	for _, problem := range p.Fleet.Problems {
		fmt.Fprintf(w, "  %s %s\n", safetext.Text(problem.File), safetext.Text(problem.Text))
	}
}

// title returns who has the way, and where it is.
func (w Way) title() string {
	title := cmp.Or(w.Subject, "holders of the role")
	if w.File != "" {
		title += fmt.Sprintf(" (%s:%d)", w.File, w.Line)
	}
	if w.Rule != "" {
		title += " [" + w.Rule + "]"
	}
	return title
}

func (e Entry) place() string { return fmt.Sprintf("%s:%d", e.File, e.Line) }

func number(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// table is a table for a terminal. The writer is buffered, and reports its error at the end.
type table struct{ *tabwriter.Writer }

func newTable(w io.Writer, head ...string) table {
	t := table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
	t.row(head...)
	return t
}

func (t table) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = safetext.Text(cmp.Or(cell, "-"))
	}
	fmt.Fprintln(t, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
}

func (t table) flush() { t.Flush() } //nolint:errcheck // see table

// columns are those of the format csv.
var columns = []string{
	"kind", "repository", "state", "wave", "extension", "namespace", "package", "channels", "version", "account", "service_account", "target", "model", "clusters",
	"file", "line", "fix", "remark", "subject", "rule", "steps",
}

// csv writes a row for each extension, and one for each way to cluster-admin.
func (p *Plan) csv(out io.Writer) error {
	w := csv.NewWriter(out)
	states := map[string]string{}
	for _, r := range p.Repositories() {
		states[r.Name] = r.State
	}
	rows := [][]string{columns}
	for _, e := range p.Entries {
		rows = append(rows, []string{
			"extension", e.Repository, states[e.Repository], string(e.Wave), e.Name, e.Namespace, e.Package, strings.Join(e.Channels, " "), e.Version, e.Account, e.ServiceAccount,
			e.Target, e.Model, strings.Join(e.Clusters, " "), e.File, strconv.Itoa(e.Line), e.Fix, e.Reason, "", "", "",
		})
	}
	for _, way := range p.Ways {
		row := make([]string, len(columns))
		row[0], row[1], row[2], row[14], row[15] = way.Kind, way.Repository, states[way.Repository], way.File, strconv.Itoa(way.Line)
		row[18], row[19], row[20] = way.Subject, way.Rule, strings.Join(way.Steps, "; ")
		rows = append(rows, row)
	}
	for _, row := range rows {
		for i, cell := range row {
			row[i] = fleet.Cell(cell)
		}
	}
	return w.WriteAll(rows)
}

//go:embed content.html
var content string

var pageTemplate = sync.OnceValue(func() *template.Template { return page.Template(content, nil) })

type (
	htmlPlan struct {
		Waves        []htmlWave
		Repositories []*Repository
		Ways         []htmlWay
		Note         string
		Missing      []fleet.Missing
		Problems     []fleet.Problem
	}
	htmlWave struct {
		ID, Title string
		Entries   []htmlEntry
	}
	htmlEntry struct {
		Entry

		At, Who string
	}
	htmlWay struct {
		Way

		Title string
	}
)

// Count returns the number of extensions in a wave, for a template.
func (r *Repository) Count(wave string) string { return number(r.Counts[Wave(wave)]) }

func (p *Plan) html(w io.Writer, version string) error {
	c := htmlPlan{Repositories: p.Repositories(), Note: p.chainsNote(), Missing: p.Fleet.Missing, Problems: p.Fleet.Problems}
	var contents []page.Section
	for i, wave := range Waves() {
		shown := htmlWave{ID: fmt.Sprintf("wave%d", i), Title: titles[wave]}
		for _, e := range p.in(wave) {
			shown.Entries = append(shown.Entries, htmlEntry{e, e.place(), e.account()})
		}
		if len(shown.Entries) > 0 {
			c.Waves, contents = append(c.Waves, shown), append(contents, page.Section{ID: shown.ID, Title: string(wave)})
		}
	}
	for _, way := range p.Ways {
		c.Ways = append(c.Ways, htmlWay{way, way.title()})
	}
	contents = append(contents, page.Section{ID: "repositories", Title: "Repositories"}, page.Section{ID: "ways", Title: "Ways to cluster-admin"})
	return page.Write(w, pageTemplate(), page.Head{
		Kind: "fleet plan", Title: "Plan for " + words.Count(p.Fleet.Totals().Repositories, "repository"), Lead: p.headline(), Contents: contents,
		Version: version, Foot: "Made from the reports of salint lint.",
	}, c)
}
