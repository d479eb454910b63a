package change

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/output/page"
)

//go:embed page.html
var pageContent string

// maxOnPage limits the entries of a list on the page, so that browsers can load it.
const maxOnPage = 1000

// shown is one line about how a permission is held.
type shown struct{ Text, Place string }

// HTML writes a report as one self-contained page.
func (p Printer) HTML(w io.Writer, r *Report) error {
	place := func(at objects.Position) string {
		if at.File == "" {
			return ""
		}
		return fmt.Sprintf("%s:%d", p.Rel(at.File), at.Line)
	}
	content := page.Template(pageContent, template.FuncMap{
		"place": place, "units": unitsText,
		"sentence": func(c Change) string { return c.sentence(true) },
		"lost":     func(c Change) string { return c.sentence(false) },
		"rule":     func(c Change) string { return ruleOf(c.Class) },
		"rules":    func(c Change) []string { return limited(c.ruleLines(0), maxOnPage) },
		"subject":  func(i Identity) string { return access.SubjectName(i.Subject) },
		"through": func(c Change) []shown {
			var lines []shown
			for i, by := range c.through() {
				if i == maxOnPage {
					return append(lines, shown{Text: fmt.Sprintf("%d more", len(c.through())-i)})
				}
				lines = append(lines, shown{by.text, place(by.place)})
			}
			return lines
		},
	})
	lead := r.Result(p.FailOn) + "."
	if !r.Nothing {
		lead = fmt.Sprintf("Compared %s. %s", r.Compared(), lead)
	}
	head := page.Head{
		Kind: "diff", Title: r.Headline(), Lead: lead,
		Contents: r.contents(), Version: p.Version, Foot: notComparedText() + ". No files were changed.",
	}
	return page.Write(w, content, head, struct{ Report *Report }{r.cut()})
}

// contents returns the sections of the page.
func (r *Report) contents() []page.Section {
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
func (r *Report) cut() *Report {
	short := *r
	short.Gained, short.Lost = r.Gained[:min(len(r.Gained), maxOnPage)], r.Lost[:min(len(r.Lost), maxOnPage)]
	short.Objects = r.Objects[:min(len(r.Objects), maxOnPage)]
	short.Moved = r.Moved[:min(len(r.Moved), maxOnPage)]
	short.Appeared, short.Vanished = r.Appeared[:min(len(r.Appeared), maxOnPage)], r.Vanished[:min(len(r.Vanished), maxOnPage)]
	return &short
}
