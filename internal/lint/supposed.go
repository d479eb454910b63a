package lint

import (
	"context"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
)

// judgements keeps of the findings about each extension those that count, and works out their fixes.
func (r *run) judgements(ctx context.Context, found [][]judged) ([][]Judgement, error) {
	var all []judged
	var of []int
	for i := range found {
		for _, f := range found[i] {
			if r.counts(&f.Finding) {
				all, of = append(all, f), append(of, i)
			}
		}
	}
	shop := r.newWorkshop(ctx)
	mended, _, err := shop.workOut(all)
	if err != nil {
		return nil, err
	}
	out := make([][]Judgement, len(found))
	for n := range mended {
		shop.checkAllowed(&mended[n])
		mended[n].say()
		out[of[n]] = append(out[of[n]], Judgement{mended[n].Finding, mended[n].refused})
	}
	return out, nil
}

// counts gives a finding its configured severity, unless it is an error, and tells whether it is wanted.
func (r *run) counts(f *finding.Finding) bool {
	if f.Severity == finding.Error {
		return true
	}
	return r.configure(f)
}

// meantFor picks the findings about subjects that were meant for the identity of an extension without an account.
func meantFor(t task, found []judged) []judged {
	extension, _ := olm.ReadExtension(t.object.Node)
	switch extension.Account.State {
	case olm.Absent, olm.Null:
	default:
		return nil
	}
	var meant []judged
	for _, f := range found {
		if f.Rule != ruleMistyped || f.unit != t.unit || len(f.report.Path) < 2 {
			continue
		}
		subject := f.report.Object.Node.Lookup(f.report.Path[:2])
		_, name, _, ok := olm.Mistyped(subject.Get("kind").String(), subject.Get("name").String())
		if ok && (name == olm.Group || name == olm.User(extension.Name)) {
			meant = append(meant, f)
		}
	}
	return meant
}
