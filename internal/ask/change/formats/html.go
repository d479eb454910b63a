package formats

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/ask/change/unread"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/output/page"
)

//go:embed page.html
var pageContent string

// maxOnPage limits the entries of a list on the page, so that browsers can load it.
const maxOnPage = 1000

// shown is one line about how a permission is held.
type shown struct{ Text, Place string }

// html writes a report as one self-contained page.
func (p Printer) html(w io.Writer, r *change.Report) error {
	place := func(at objects.Position) string {
		if at.File == "" {
			return ""
		}
		return fmt.Sprintf("%s:%d", p.Rel(at.File), at.Line)
	}
	content := page.Template(pageContent, template.FuncMap{
		"place": place, "units": change.UnitsText,
		"sentence": func(c change.Change) string { return c.Sentence(true) },
		"lost":     func(c change.Change) string { return c.Sentence(false) },
		"rule":     func(c change.Change) string { return c.Rule() },
		"rules":    func(c change.Change) []string { return limited(c.RuleLines(0), maxOnPage, "") },
		"subject":  func(i change.Identity) string { return access.SubjectName(i.Subject) },
		"unread":   func(all []unread.Part) []unread.Part { return slices.DeleteFunc(slices.Clone(all), isOld) },
		"before":   readInNeither, "notReadBefore": notReadBefore,
		"through": func(c change.Change) []shown {
			var lines []shown
			for i, by := range c.Through() {
				if i == maxOnPage {
					return append(lines, shown{Text: fmt.Sprintf("%d more", len(c.Through())-i)})
				}
				lines = append(lines, shown{by.Text, place(by.Place)})
			}
			return lines
		},
	})
	lead := r.Result(p.FailOn) + "."
	if !r.Nothing {
		lead = fmt.Sprintf("Compared %s. %s", r.Compared(), lead)
	}
	foot := "No files were changed."
	if text := p.notCompared(r); text != "" {
		foot = safetext.Text(text) + ". " + foot
	}
	head := page.Head{
		Kind: strings.TrimSpace("diff " + safetext.Text(p.Repository)), Title: r.Headline(), Lead: lead,
		Contents: contents(r), Version: p.Version, Foot: foot,
	}
	return page.Write(w, content, head, struct{ Report *change.Report }{cut(r)})
}

// contents returns the sections of the page.
func contents(r *change.Report) []page.Section {
	var all []page.Section
	for _, s := range []struct {
		there bool
		page.Section
	}{
		{len(r.Gained) > 0, page.Section{ID: "gained", Title: "New power"}},
		{len(r.Policies)+len(r.Extensions) > 0, page.Section{ID: "admission", Title: "Admission policies and extensions"}},
		{len(r.Objects) > 0, page.Section{ID: "objects", Title: "Other objects that give power"}},
		{len(r.Moved) > 0, page.Section{ID: "moved", Title: "Moved deployment units"}},
		{len(r.Lost) > 0, page.Section{ID: "lost", Title: "Less power"}},
		{len(r.Appeared)+len(r.Vanished) > 0, page.Section{ID: "identities", Title: "Identities"}},
		{len(r.NotRead) > 0, page.Section{ID: "unread", Title: "Not read"}},
	} {
		if s.there {
			all = append(all, s.Section)
		}
	}
	return all
}

// cut returns the report with the first entries of each list.
func cut(r *change.Report) *change.Report {
	short := *r
	short.Gained, short.Lost = r.Gained[:min(len(r.Gained), maxOnPage)], r.Lost[:min(len(r.Lost), maxOnPage)]
	short.Objects = r.Objects[:min(len(r.Objects), maxOnPage)]
	short.Moved = r.Moved[:min(len(r.Moved), maxOnPage)]
	short.Appeared, short.Vanished = r.Appeared[:min(len(r.Appeared), maxOnPage)], r.Vanished[:min(len(r.Vanished), maxOnPage)]
	return &short
}
