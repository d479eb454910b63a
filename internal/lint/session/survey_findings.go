package session

import (
	"cmp"
	"context"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/judging"
)

// targetSurvey judges the findings about extensions for one target.
type targetSurvey struct {
	severities *judging.Severities
	fixes      *fixing.Round
	// shared is set if fixes also change what units outside of the paths apply.
	shared bool
}

func (s *surveyor) forTarget(at *judging.Judge) targetSurvey {
	session := s.session
	report := judging.NewReport(session.judgingOptions(), at, nil)
	return targetSurvey{session.severities, fixing.NewRound(session.fixingOptions(), at, report), session.options.Fixes.Shared}
}

// limits returns what no longer limits each extension on a target; nil if its identity counts there.
func (s targetSurvey) limits(ctx context.Context, extensions []judging.Task, target olm.Target) []*permission.Unlimited {
	all := make([]*permission.Unlimited, len(extensions))
	if target.Model.IdentitiesMayCount() {
		return all
	}
	limits := s.fixes.Limits(ctx)
	for i, t := range extensions {
		entry := limits.Of(t.Unit, t.Object, target)
		all[i] = &entry
	}
	return all
}

// judgements returns the findings about each extension that count, with their fixes. Mixed are the units with mixed extensions.
func (s targetSurvey) judgements(ctx context.Context, found [][]judging.Finding, mixed map[*objects.Unit]bool) ([][]Judgment, error) {
	var all []judging.Finding
	var of []int
	for i := range found {
		for _, f := range found[i] {
			if s.counts(&f.Finding) {
				all, of = append(all, f), append(of, i)
			}
		}
	}
	offers, err := s.fixes.Offers(ctx, all)
	if err != nil {
		return nil, err
	}
	judged := judgmentsOf(offers)
	if err := s.judgeInPaths(ctx, judged, all); err != nil {
		return nil, err
	}
	if err := s.judgeInFolders(ctx, judged, all, mixed); err != nil {
		return nil, err
	}
	out := make([][]Judgment, len(found))
	for n := range judged {
		out[of[n]] = append(out[of[n]], judged[n])
	}
	return out, nil
}

func judgmentsOf(offers []fixing.Offer) []Judgment {
	out := make([]Judgment, len(offers))
	for n, offer := range offers {
		out[n] = Judgment{Finding: offer.Finding, Refused: offer.Refused, Edited: offer.Edited}
	}
	return out
}

// judgeInPaths sets [Judgment.InPaths] of the findings without a fix that have one if only the units in the paths change, or if the paths
// limit nothing, only their unit.
func (s targetSurvey) judgeInPaths(ctx context.Context, judged []Judgment, found []judging.Finding) error {
	if !s.shared {
		return nil
	}
	paths := s.fixes.PathScope()
	var units []*objects.Unit // nil for all units in the paths
	refused := map[*objects.Unit][]int{}
	for n := range judged {
		unit := found[n].Unit
		switch {
		case judged[n].Refused == "" || paths == nil && len(unit.Kustomizations) == 0:
			continue
		case paths != nil:
			unit = nil
		}
		if refused[unit] == nil {
			units = append(units, unit)
		}
		refused[unit] = append(refused[unit], n)
	}
	for _, unit := range units[:min(len(units), maxUnitsAlone)] {
		scope := paths
		if unit != nil {
			scope = s.fixes.UnitScope(unit)
		}
		if err := s.judgeInScope(ctx, scope, judged, found, refused[unit]); err != nil {
			return err
		}
	}
	return nil
}

// maxUnitsAlone is the number of units for which fixes of the unit alone are tried.
const maxUnitsAlone = 50

// judgeInScope sets [Judgment.InPaths] of the findings at some indexes that have a fix in a scope.
func (s targetSurvey) judgeInScope(ctx context.Context, scope *engine.Scope, judged []Judgment, found []judging.Finding, indexes []int) error {
	again, err := s.judgedInScope(ctx, scope, found, indexes)
	if err != nil {
		return err
	}
	for i, n := range indexes {
		if again[i].Refused == "" && again[i].Fix != nil {
			judged[n].InPaths = &again[i]
		}
	}
	return nil
}

// judgeInFolders sets [Judgment.InFolder] of the findings about some units.
func (s targetSurvey) judgeInFolders(ctx context.Context, judged []Judgment, found []judging.Finding, mixed map[*objects.Unit]bool) error {
	if !s.shared {
		return nil
	}
	var units []*objects.Unit
	of := map[*objects.Unit][]int{}
	for n := range found {
		unit := found[n].Unit
		if !mixed[unit] || len(unit.Kustomizations) == 0 {
			continue
		}
		if of[unit] == nil {
			units = append(units, unit)
		}
		of[unit] = append(of[unit], n)
	}
	for _, unit := range units[:min(len(units), maxUnitsAlone)] {
		again, err := s.judgedInScope(ctx, s.fixes.UnitScope(unit), found, of[unit])
		if err != nil {
			return err
		}
		for i, n := range of[unit] {
			judged[n].InFolder = &again[i]
		}
	}
	return nil
}

// judgedInScope returns the findings at some indexes with the fixes that a scope allows.
func (s targetSurvey) judgedInScope(ctx context.Context, scope *engine.Scope, found []judging.Finding, indexes []int) ([]Judgment, error) {
	chosen := make([]judging.Finding, len(indexes))
	for i, n := range indexes {
		chosen[i] = found[n]
	}
	offers, err := s.fixes.OffersIn(ctx, scope, chosen)
	return judgmentsOf(offers), err
}

// counts sets the configured severity of a finding unless it is an error. It returns false if the rule is off for its file.
func (s targetSurvey) counts(f *finding.Finding) bool {
	if f.Severity == finding.Error {
		return true
	}
	return s.severities.Configure(f)
}

// meantFor returns the findings about mistyped subjects that were meant for the identity of an extension without an account.
func meantFor(t judging.Task, found []judging.Finding) []judging.Finding {
	extension, _ := olm.ReadExtension(t.Object.Node)
	switch extension.Account.State {
	case olm.Absent, olm.Null:
	default:
		return nil
	}
	var meant []judging.Finding
	for _, f := range found {
		if f.Rule != ruleMistyped || f.Unit != t.Unit || len(f.Report.Path) < 2 {
			continue
		}
		subject := f.Report.Object.Node.Lookup(f.Report.Path[:2])
		kind, written := subject.Get("kind").String(), subject.Get("name").String()
		_, name, _, ok := olm.Mistyped(kind, written)
		name = cmp.Or(rbac.AppliedUser(t.Unit, name), rbac.MeantIdentity(t.Unit, kind, written))
		if ok && (name == olm.Group || name == olm.User(extension.Name)) {
			meant = append(meant, f)
		}
	}
	return meant
}
