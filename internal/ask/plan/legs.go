package plan

import (
	"slices"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
)

// leg is an extension's own release and the next one. Both are the same if no later release is known.
type leg struct {
	from, to olm.Target
	// known is false if the own release is unknown. Then the two are the last release that requires the field and the first
	// one that ignores it.
	known bool
}

func legOf(today loader.ResolvedTarget, onOpenShift bool) leg {
	if !today.Known {
		last, first := olm.Sides(onOpenShift)
		return leg{from: last, to: first}
	}
	next, ok := today.Target.Next()
	if !ok {
		next = today.Target
	}
	return leg{from: today.Target, to: next, known: true}
}

func (l leg) contains(t olm.Target) bool { return l.from.Name == t.Name || l.to.Name == t.Name }

// Choose returns the targets that a survey must evaluate: those of the options, or otherwise the own release of every extension
// and the next one. Targets must have accepted the options.
func (o Options) Choose(s *session.Survey) []olm.Target {
	if !o.perExtension() {
		targets, _ := o.Targets() // checked before
		return targets
	}
	var releases, models []olm.Target
	for _, e := range s.Extensions {
		l := legOf(e.Today, s.OnOpenShift)
		for _, t := range []olm.Target{l.from, l.to} {
			if t.Release() && !t.TechPreview() {
				releases = with(releases, t)
			} else {
				models = with(models, t)
			}
		}
	}
	var targets []olm.Target
	for _, line := range olm.ReleaseLines(releases) {
		targets = append(targets, line...)
	}
	return append(targets, models...)
}

// legs plans the transition of each extension from its own release to the next one. A transition whose only step is the
// upgrade itself is left out if nothing changes for the field.
func (b *builder) legs() {
	type ends struct{ from, to string }
	of := map[ends][]*Extension{}
	var order []leg
	for _, e := range all(b.plan.Extensions) {
		at := ends{e.leg.from.Name, e.leg.to.Name}
		if of[at] == nil {
			order = append(order, e.leg)
		}
		of[at] = append(of[at], e)
	}
	for _, l := range order {
		t := b.planned(l.from, l.to, of[ends{l.from.Name, l.to.Name}])
		if !slices.ContainsFunc(t.Steps, func(s Step) bool { return s.Do != "upgrade" }) && l.from.Model == l.to.Model {
			b.plan.Unchanged = append(b.plan.Unchanged, slices.Compact([]string{l.from.Name, l.to.Name}))
			continue
		}
		b.plan.Transitions = append(b.plan.Transitions, t)
	}
}
