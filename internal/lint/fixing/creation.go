package fixing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// refusedObject is an object of a fix that an application is not permitted to create. text is one sentence without a full stop.
type refusedObject struct {
	text, why string
	place     gitops.Location
}

// checkCreation checks whether applications are permitted to create what a fix adds. If not, or if it is unknown, the plan gets a
// note. A fix whose objects are refused becomes unsafe: after the field is removed, the extension would have no permissions.
func (w *planner) checkCreation(m *result) {
	if m.plan == nil {
		return
	}
	for _, answer := range w.refusedCreations(m.plan) {
		if answer.Verdict == gitops.Unknown {
			m.plan.Notes = words.AddOnce(m.plan.Notes, "it is unknown whether "+answer.text)
			continue
		}
		m.plan.Notes = words.AddOnce(m.plan.Notes, answer.text)
		m.refusedObjects = append(m.refusedObjects, refusedObject{answer.text, answer.Why, answer.Location})
		if m.plan.Kind == finding.Safe {
			m.plan.Kind = finding.Unsafe
			m.plan.Description += fmt.Sprintf("; not safe because %s cannot create all of that", answer.Application)
		}
	}
	m.Fix.Kind, m.Fix.Description = m.plan.Kind, m.plan.Description
}

// joinedAnswer is one answer for all objects with the same answer.
type joinedAnswer struct {
	delivery.CreateCheck
	objects []string
	text    string
}

func (w *planner) refusedCreations(p *engine.Plan) []joinedAnswer {
	var joined []joinedAnswer
	for _, added := range additions(w.round.snapshot.Units, p, w.round.snapshot.Delivery.IsApplied) {
		for _, answer := range w.round.snapshot.Delivery.NotAllowed(added.unit, added.wanted) {
			i := slices.IndexFunc(joined, func(j joinedAnswer) bool {
				return j.Application == answer.Application && j.Verdict == answer.Verdict && j.Why == answer.Why
			})
			if i < 0 {
				i, joined = len(joined), append(joined, joinedAnswer{CreateCheck: answer})
			}
			joined[i].objects = words.AddOnce(joined[i].objects, answer.Object.String())
		}
	}
	for i, j := range joined {
		verb := "cannot create"
		if j.Verdict == gitops.Unknown {
			verb = "can create"
		}
		joined[i].text = fmt.Sprintf("%s %s %s, which the fix adds: %s", j.Application, verb, listed(j.objects), j.Why)
	}
	return joined
}

// describeRefusedObjects adds the refused objects to the message of the finding.
func (m *result) describeRefusedObjects() {
	if m.Fix == nil || len(m.refusedObjects) == 0 {
		return
	}
	var places []finding.Related
	for _, f := range m.refusedObjects {
		m.Message += " " + strings.ToUpper(f.text[:1]) + f.text[1:] + "."
		at := f.place.Position()
		places = append(places, finding.Related{File: at.File, Line: at.Line, Message: f.why})
	}
	m.Related = append(places, m.Related...) // first, because reports show only the first few
}

// maxListed is the number of names in a sentence.
const maxListed = 5

// listed joins names for a sentence: a, b and c.
func listed(names []string) string {
	names = slices.Sorted(slices.Values(names))
	if more := len(names) - maxListed; more > 0 {
		names = append(names[:maxListed], fmt.Sprintf("%d more", more))
	}
	return words.And(names)
}
