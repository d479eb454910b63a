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

// maxEffects limits the extensions that the short form names.
const maxEffects = 10

// briefEffects returns the effects in few lines: extensions without a change are one line.
func briefEffects(all []Effect) (lines []string) {
	unchanged := slices.IndexFunc(all, func(e Effect) bool { return e.Change == permission.Same })
	if unchanged < 0 {
		unchanged = len(all)
	}
	for _, e := range all[:min(unchanged, maxEffects)] {
		lines = append(lines, e.String())
	}
	if more := unchanged - maxEffects; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more: --all-targets lists them.", more))
	}
	switch rest := all[unchanged:]; len(rest) {
	case 0:
	case 1:
		lines = append(lines, rest[0].String())
	default:
		lines = append(lines, fmt.Sprintf("%d extensions, such as %s: their accounts, cluster-admins, do not limit them, so nothing changes.", len(rest), rest[0].Extension))
	}
	return lines
}
