package plan

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/permission"
)

// Effect is what an extension gains or loses in a step: OLM begins to act as its own account for it.
type Effect struct {
	// Extension is the label of the extension.
	Extension string
	Change    permission.Change
	// Sentence begins with a lower-case letter or a name, and has no full stop.
	Sentence string
}

// effects returns what the extensions of a transition gain or lose when the cluster changes to a target that ignores their identities,
// those without a change last.
func (p *planner) effects(from, to olm.Target) (all []Effect) {
	if !from.Model.IdentitiesMayCount() || to.Model.IdentitiesMayCount() {
		return nil
	}
	at := slices.IndexFunc(p.plan.Targets, func(t olm.Target) bool { return t.Name == to.Name })
	for _, e := range p.extensions {
		hasIdentity := e.Account.State == olm.Named || e.Account.State == olm.Templated || from.Model == olm.Synthetic
		if at < 0 || at >= len(e.limits) || e.limits[at] == nil || !hasIdentity {
			continue
		}
		change, sentence := e.limits[at].Upcoming()
		all = append(all, Effect{e.Label, change, sentence})
	}
	slices.SortStableFunc(all, func(a, b Effect) int { return same(a) - same(b) })
	return all
}

func same(e Effect) int {
	if e.Change == permission.Same {
		return 1
	}
	return 0
}

func (e Effect) String() string { return e.Extension + ": " + e.Sentence + "." }

// maxEffects limits the lines about extensions that gain something in the short form.
const maxEffects = 10

// briefEffects returns the effects in few lines: those that differ only by names are one line, in the words of the first.
func (p *Plan) briefEffects(effects []Effect) (lines []string) {
	var gains, unchanged []effectGroup
	for _, g := range p.effectGroups(effects) {
		if g.Change == permission.Same {
			unchanged = append(unchanged, g)
		} else {
			gains = append(gains, g)
		}
	}
	for _, g := range gains[:min(len(gains), maxEffects)] {
		lines = append(lines, p.effectLine(g))
	}
	if more := len(gains) - maxEffects; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more: --all-targets lists them.", more))
	}
	for _, g := range unchanged {
		lines = append(lines, p.effectLine(g))
	}
	return lines
}

// effectLines returns the effects for a page: each by itself if the plan has the background of everything.
func (p *Plan) effectLines(effects []Effect) (lines []string) {
	if !p.detailed {
		return p.briefEffects(effects)
	}
	for _, e := range effects {
		lines = append(lines, e.String())
	}
	return lines
}

// effectGroup is an effect that several extensions have in the same way. The words are those of the first one.
type effectGroup struct {
	Effect
	extensions []*Extension
}

func (p *Plan) effectGroups(effects []Effect) (groups []effectGroup) {
	byLabel := map[string]*Extension{}
	for _, e := range all(p.Extensions) {
		byLabel[e.Label] = e
	}
	of := map[string]int{}
	for _, effect := range effects {
		e := byLabel[effect.Extension]
		shape := string(effect.Change) + "\x00" + e.unnamed(effect.Sentence)
		i, known := of[shape]
		if !known {
			i, of[shape] = len(groups), len(groups)
			groups = append(groups, effectGroup{Effect: effect})
		}
		groups[i].extensions = append(groups[i].extensions, e)
	}
	return groups
}

func (p *Plan) effectLine(g effectGroup) string {
	if len(g.extensions) == 1 {
		return g.String()
	}
	return p.which(g.extensions) + ": " + g.Sentence + "." + otherAccounts(g.extensions, g.Sentence)
}
