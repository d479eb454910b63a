package fleet

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"sync"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/page"
)

//go:embed content.html
var content string

var pageTemplate = sync.OnceValue(func() *template.Template { return page.Template(content, nil) })

// The limits of a page. What is left out is counted.
const (
	pageRules  = 24
	pageRows   = 400 // of the heat map, and repositories with their findings
	pageAdmins = 200
	pageWhere  = 8
	// pageListed is the number of missing repositories and of problems.
	pageListed = 200
)

// The data of the template content.html.
type (
	htmlFleet struct {
		Facts        []htmlFact
		Comparison   string
		Missing      []Missing
		Problems     []Problem
		ListedLeft   int
		Trend        *htmlTrend
		Columns      []htmlColumn
		Rows         []htmlRow
		RulesLeft    int
		RowsLeft     int
		Releases     []Release
		Admins       []htmlAdmin
		AdminsLeft   int
		Unlisted     []Unlisted
		UnlistedLeft int
		Possible     []Possible
		PossibleText string
		PossibleLeft int
		Repositories []htmlRepository
	}
	htmlFact struct {
		Name, Value, Class string
		Details            []string
	}
	htmlColumn struct{ Rule, Title, Total string }
	htmlRow    struct {
		ID, Name, Target, State, Class, Total string
		Cells                                 []htmlCell
	}
	// htmlCell is the number of findings of a rule in a repository. The class is its severity and its level from 1 to 5.
	htmlCell       struct{ Text, Class string }
	htmlAdmin      struct{ Subject, Where, Rules string }
	htmlCountRow   struct{ Target, Rule, Errors, Warnings, Notes, Fixable string }
	htmlRepository struct {
		Of                *Repository
		ID, Class, Counts string
		Rows              []htmlCountRow
		Left              int
		Facts             []string
	}
	htmlTrend struct {
		Width, Height int
		Groups        []htmlGroup
		Rows          []Point
	}
	htmlGroup struct {
		X     int
		Label string
		Bars  []htmlBar
	}
	htmlBar struct {
		X, Y, Width, Height int
		Class, Text         string
	}
)

// html writes one page that loads nothing and runs nothing.
func (w Writer) html(out io.Writer, f *Fleet) error {
	c := &htmlFleet{Comparison: "", Releases: f.Releases()}
	if f.Compared {
		c.Comparison = f.comparison()
	}
	c.facts(f)
	c.listed(f)
	c.Trend = trendOf(f.Trend)
	c.heatMap(f, w.titles())
	c.admins(f)
	c.Possible, c.PossibleText = f.Possible(), f.possibleText()
	c.PossibleLeft = max(len(c.Possible)-pageAdmins, 0)
	c.Possible = c.Possible[:min(len(c.Possible), pageAdmins)]
	c.repositories(f)
	head := page.Head{
		Kind: "fleet report", Title: "Service accounts in " + words.Count(f.Totals().Repositories, "repository"), Lead: f.headline()[1],
		Contents: c.contents(), Version: w.Version, Foot: "Numbers are of the reports, as salint lint wrote them.",
	}
	return page.Write(out, pageTemplate(), head, c)
}

func (w Writer) titles() map[string]string {
	titles := map[string]string{}
	for _, rule := range w.Rules {
		titles[rule.Name] = rule.Title
	}
	return titles
}

func (c *htmlFleet) contents() []page.Section {
	var all []page.Section
	for _, s := range []struct {
		there bool
		page.Section
	}{
		{len(c.Missing)+len(c.Problems) > 0, page.Section{ID: "missing", Title: "Missing"}},
		{c.Trend != nil, page.Section{ID: "trend", Title: "Trend"}},
		{len(c.Rows) > 0, page.Section{ID: "map", Title: "Repositories and rules"}},
		{len(c.Releases) > 0, page.Section{ID: "extensions", Title: "Extensions"}},
		{len(c.Admins)+len(c.Unlisted) > 0, page.Section{ID: "admins", Title: "Cluster-admin"}},
		{len(c.Possible) > 0, page.Section{ID: "possible", Title: "Possibly"}},
		{len(c.Repositories) > 0, page.Section{ID: "repositories", Title: "Findings"}},
	} {
		if s.there {
			all = append(all, s.Section)
		}
	}
	return all
}

func (c *htmlFleet) facts(f *Fleet) {
	t := f.Totals()
	clean := htmlFact{Name: "Clean repositories", Value: fmt.Sprintf("%d of %d", t.Clean, t.Repositories+t.Missing)}
	if t.Clean == t.Repositories+t.Missing {
		clean.Class = "good"
	}
	for _, part := range []struct {
		n    int
		text string
	}{
		{t.CleanExcept, "clean with reserves"}, {t.Partial, "partial"}, {t.Stale, "stale"},
		{t.Missing, "missing"}, {t.Failed, "failed in part"}, {t.Unchecked, "with nothing checked"},
	} {
		if part.n > 0 {
			clean.Details = append(clean.Details, fmt.Sprintf("%d %s", part.n, part.text))
		}
	}
	c.Facts = append(c.Facts, clean)
	for _, fact := range []struct {
		n           int
		name, class string
	}{{t.Errors, "Errors", "error"}, {t.Warnings, "Warnings", "warning"}, {t.Notes, "Notes", ""}} {
		shown := htmlFact{Name: fact.name, Value: fmt.Sprint(fact.n)}
		if fact.n > 0 {
			shown.Class = fact.class
		}
		c.Facts = append(c.Facts, shown)
	}
	c.Facts = append(c.Facts, htmlFact{Name: "Fixable", Value: fmt.Sprint(t.Fixable()), Details: []string{
		fmt.Sprintf("%d safe, %d unsafe, %d to prune", t.Safe, t.Unsafe, t.Prune),
	}})
	if groups := f.adminGroups(); len(groups) > 0 {
		c.Facts = append(c.Facts, htmlFact{Name: "Cluster-admin", Value: f.adminCount(), Class: "warning"})
	}
	if f.Compared {
		c.Facts = append(c.Facts, htmlFact{Name: "Since then", Value: fmt.Sprintf("+%d −%d", t.New, t.Gone), Details: []string{fmt.Sprintf("%d still open", f.open())}})
	}
}

// listed adds what keeps the report from being about all repositories.
func (c *htmlFleet) listed(f *Fleet) {
	c.Missing, c.Problems = f.Missing[:min(len(f.Missing), pageListed)], f.Problems[:min(len(f.Problems), pageListed)]
	c.ListedLeft = len(f.Missing) - len(c.Missing) + len(f.Problems) - len(c.Problems)
}

// The measures of the picture of a trend.
const (
	trendHeight, trendBase, trendBar, trendGap, trendTop = 190, 150, 22, 36, 20
)

// trendOf draws a group of bars for each set of reports; nil for fewer than two.
func trendOf(points []Point) *htmlTrend {
	if len(points) < 2 {
		return nil
	}
	most := 1
	for _, p := range points {
		most = max(most, p.Errors, p.Warnings, p.Notes)
	}
	t := &htmlTrend{Height: trendHeight, Rows: points}
	x := trendGap
	for _, p := range points {
		group := htmlGroup{X: x + trendBar*3/2, Label: p.Name}
		for i, bar := range []struct {
			n     int
			class string
		}{{p.Errors, "error"}, {p.Warnings, "warning"}, {p.Notes, "note"}} {
			height := (bar.n*(trendBase-trendTop) + most - 1) / most
			group.Bars = append(group.Bars, htmlBar{x + i*trendBar, trendBase - height, trendBar - 3, height, bar.class, fmt.Sprint(bar.n)})
		}
		t.Groups = append(t.Groups, group)
		x += 3*trendBar + trendGap*2
	}
	t.Width = x
	return t
}

// heatMap adds the worst repositories and rules, with the number of findings in each cell.
func (c *htmlFleet) heatMap(f *Fleet, titles map[string]string) {
	rules, all := f.Rules(), f.worstFirst()
	if len(rules) == 0 {
		return
	}
	c.RulesLeft, c.RowsLeft = max(len(rules)-pageRules, 0), max(len(all)-pageRows, 0)
	rules, all = rules[:min(len(rules), pageRules)], all[:min(len(all), pageRows)]
	most := 1
	for _, rule := range rules {
		c.Columns = append(c.Columns, htmlColumn{rule.Name, cmp.Or(titles[rule.Name], rule.Name), fmt.Sprint(rule.All())})
	}
	for _, r := range all {
		for _, n := range r.byRule() {
			most = max(most, n.All())
		}
	}
	for i, r := range all {
		row := htmlRow{ID: fmt.Sprintf("r%d", i), Name: r.Name, Target: r.Target, State: r.State(), Class: stateClass(r), Total: fmt.Sprint(r.All())}
		byRule := r.byRule()
		for _, rule := range rules {
			row.Cells = append(row.Cells, cellOf(byRule[rule.Name], most))
		}
		c.Rows = append(c.Rows, row)
	}
}

// cellOf has the color of the worst finding, stronger for more of them, on a logarithmic scale.
func cellOf(n Count, most int) htmlCell {
	if n.All() == 0 {
		return htmlCell{}
	}
	level := 5
	if most > 1 {
		level = 1 + int(4*math.Log(float64(n.All()))/math.Log(float64(most)))
	}
	return htmlCell{fmt.Sprint(n.All()), fmt.Sprintf("%s h%d", severityOf(n), min(level, 5))}
}

func severityOf(n Count) string {
	switch {
	case n.Errors > 0:
		return "error"
	case n.Warnings > 0:
		return "warning"
	}
	return "note"
}

// stateClass is the color of a state: only a clean repository is green.
func stateClass(r *Repository) string {
	switch {
	case r.Clean():
		return "works"
	case r.Incomplete:
		return "error"
	case r.Unchecked != "", r.Stale != "", r.Partial():
		return "warning"
	}
	return severityOf(r.Count)
}

func (c *htmlFleet) admins(f *Fleet) {
	groups := f.adminGroups()
	c.AdminsLeft = max(len(groups)-pageAdmins, 0)
	for _, g := range groups[:min(len(groups), pageAdmins)] {
		rules := ""
		for _, a := range g.Admins {
			if rules == "" {
				rules = a.Rule
			} else if rules != a.Rule {
				rules = "several rules"
			}
		}
		c.Admins = append(c.Admins, htmlAdmin{g.Name(), g.where(pageWhere) + f.sinceOf(g), rules})
	}
	c.Unlisted = f.Unlisted()
	c.UnlistedLeft = max(len(c.Unlisted)-pageAdmins, 0)
	c.Unlisted = c.Unlisted[:min(len(c.Unlisted), pageAdmins)]
}

func (c *htmlFleet) repositories(f *Fleet) {
	for i, r := range f.worstFirst() {
		if i == pageRows {
			c.RowsLeft = len(f.Repositories) - pageRows
			break
		}
		shown := htmlRepository{Of: r, ID: fmt.Sprintf("r%d", i), Class: stateClass(r), Left: r.All() - len(r.Findings)}
		shown.Counts = fmt.Sprintf("%s, %s, %s", words.Count(r.Errors, "error"), words.Count(r.Warnings, "warning"), words.Count(r.Notes, "note"))
		shown.Facts = factsOf(r)
		for _, key := range r.sortedKeys() {
			n := r.counts[key]
			shown.Rows = append(shown.Rows, htmlCountRow{
				key.target, key.rule, fmt.Sprint(n.Errors), fmt.Sprint(n.Warnings), fmt.Sprint(n.Notes), fmt.Sprint(n.Fixable()),
			})
		}
		c.Repositories = append(c.Repositories, shown)
	}
}

// factsOf returns what else is known of a repository, in sentences.
func factsOf(r *Repository) []string {
	facts := []string{fmt.Sprintf("%s checked (%s), target %s", words.Count(r.Files, "file"), words.Count(r.Documents, "document"), cmp.Or(r.Target, "unknown"))}
	if r.Revision != "" {
		facts = append(facts, "commit "+r.Revision)
	}
	if r.Unchecked != "" {
		facts = append(facts, "nothing was checked: "+r.Unchecked)
	}
	if r.Incomplete {
		facts = append(facts, "a part of the run failed: there can be more problems")
	}
	if r.Stale != "" {
		facts = append(facts, "the report "+r.Stale)
	}
	if r.Partial() {
		facts = append(facts, "the run was limited to "+r.selection().String())
	}
	if r.Run != nil {
		facts = append(facts, "run on "+r.Run.Date+" by salint "+r.Version)
		for _, hash := range finding.Hashes(r.Run.Settings, r.Run.Platform, r.Run.Policies) {
			facts = append(facts, hash[0]+" sha256:"+hash[1])
		}
	}
	if r.Suppressed > 0 {
		facts = append(facts, words.Count(r.Suppressed, "finding")+" silenced")
	}
	if r.NotShown > 0 {
		facts = append(facts, words.Count(r.NotShown, "finding")+" left out by --min-severity")
	}
	if r.Compared {
		facts = append(facts, fmt.Sprintf("%d new, %s no longer reported", r.New, r.goneText()))
	}
	return facts
}
