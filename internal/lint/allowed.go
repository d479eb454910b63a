package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/config/finding"
)

// forbidden is what an application may not create of what a fix adds, in one sentence without a full stop.
type forbidden struct {
	text, why string
	place     gitops.Location
}

// checkAllowed asks whether applications may create what a fix adds, and has the plan say where they may not, or where
// nothing in the repository tells. The fix stays what is to be done, but it is not safe: once the field is gone and the
// bindings are refused, the extension is left with nothing.
func (w *workshop) checkAllowed(m *mended) {
	if m.plan == nil {
		return
	}
	for _, answer := range w.notAllowed(m.plan) {
		if answer.Verdict == gitops.Unknown {
			m.plan.Notes = appendOnce(m.plan.Notes, "it is not known whether "+answer.text)
			continue
		}
		m.plan.Notes = appendOnce(m.plan.Notes, answer.text)
		m.forbidden = append(m.forbidden, forbidden{answer.text, answer.Why, answer.Location})
		if m.plan.Kind == finding.Safe {
			m.plan.Kind = finding.Unsafe
			m.plan.Description += fmt.Sprintf("; not safe, as %s may not create all of that", answer.Application)
		}
	}
	m.Fix.Kind, m.Fix.Description = m.plan.Kind, m.plan.Description
}

// joinedAnswer is one answer for all objects for which it is the same.
type joinedAnswer struct {
	delivery.CreateCheck
	objects []string
	text    string
}

func (w *workshop) notAllowed(p *fixers.Plan) []joinedAnswer {
	var joined []joinedAnswer
	for _, added := range additions(w.units, p) {
		for _, answer := range w.delivery.NotAllowed(added.unit, added.wanted) {
			i := slices.IndexFunc(joined, func(j joinedAnswer) bool {
				return j.Application == answer.Application && j.Verdict == answer.Verdict && j.Why == answer.Why
			})
			if i < 0 {
				i, joined = len(joined), append(joined, joinedAnswer{CreateCheck: answer})
			}
			joined[i].objects = appendOnce(joined[i].objects, answer.Object.String())
		}
	}
	for i, j := range joined {
		verb := "may not create"
		if j.Verdict == gitops.Unknown {
			verb = "may create"
		}
		joined[i].text = fmt.Sprintf("%s %s %s, which the fix adds: %s", j.Application, verb, listed(j.objects), j.Why)
	}
	return joined
}

// say has a finding tell what its fix adds and may not be created.
func (m *mended) say() {
	if m.Fix == nil || len(m.forbidden) == 0 {
		return
	}
	var places []finding.Related
	for _, f := range m.forbidden {
		m.Message += " " + strings.ToUpper(f.text[:1]) + f.text[1:] + "."
		at := f.place.Position()
		places = append(places, finding.Related{File: at.File, Line: at.Line, Message: f.why})
	}
	m.Related = append(places, m.Related...) // first, for a report shows the first few
}

func appendOnce(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// maxListed is how many names a sentence lists.
const maxListed = 5

// listed joins names as a sentence does: a, b and c.
func listed(names []string) string {
	names = slices.Sorted(slices.Values(names))
	if more := len(names) - maxListed; more > 0 {
		names = append(names[:maxListed], fmt.Sprintf("%d more", more))
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}
