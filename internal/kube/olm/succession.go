package olm

import "slices"

// Step is a change from one target to another.
type Step struct{ From, To Target }

// Successions orders targets by what follows what: each list holds releases of one line (upstream, OpenShift, OpenShift as
// proposed), oldest first. The technology preview is in none, and neither are bare models.
func Successions(targets []Target) [][]Target {
	type line struct {
		family   string
		proposed bool
	}
	var order []line
	lines := map[line][]Target{}
	for _, t := range targets {
		r, ok := parseRelease(t.Name)
		if !ok {
			continue
		}
		l := line{r.family, r.proposed}
		if lines[l] == nil {
			order = append(order, l)
		}
		lines[l] = append(lines[l], t)
	}
	var all [][]Target
	for _, l := range order {
		slices.SortStableFunc(lines[l], compareReleases)
		all = append(all, lines[l])
	}
	return all
}

func compareReleases(a, b Target) int {
	ra, _ := parseRelease(a.Name)
	rb, _ := parseRelease(b.Name)
	switch {
	case ra.before(rb):
		return -1
	case rb.before(ra):
		return 1
	}
	return 0
}

// Downgrade reports whether the way from one target to another leads back: to an older release of the same line, away from the
// technology preview, or, of bare models, to one that came before. ok is false where nothing orders the two.
func (s Step) Downgrade() (back, ok bool) {
	from, fromOK := parseRelease(s.From.Name)
	to, toOK := parseRelease(s.To.Name)
	if fromOK && toOK {
		return to.before(from), from.family == to.family
	}
	if s.From.TechPreview() != s.To.TechPreview() {
		return s.From.TechPreview(), true
	}
	order := []Model{Required, Synthetic, Ignored, Removed}
	return slices.Index(order, s.To.Model) < slices.Index(order, s.From.Model), true
}

// TechPreview reports whether the target is OpenShift with the feature set TechPreviewNoUpgrade.
func (t Target) TechPreview() bool { return t.Name == techPreviewName }

// BaseOfTechPreview is the release that the proposal for the technology preview starts from: the last one of the proposed
// schedule in which the field is required.
func BaseOfTechPreview() Target {
	var base Target
	for _, t := range table {
		if t.Proposed && t.Model == Required {
			base = t
		}
	}
	return base
}

// Between returns the first known target of the same line that lies between two and in which the field is optional; for bare models
// that is a model. Where one of the two requires the field and the other has none, manifests can be changed there only.
func (s Step) Between() (Target, bool) {
	back, _ := s.Downgrade()
	from, fromOK := parseRelease(s.From.Name)
	to, toOK := parseRelease(s.To.Name)
	if !fromOK || !toOK || from.family != to.family {
		return modelTarget(Ignored), true
	}
	proposed := from.proposed || to.proposed // what was proposed goes on from what was shipped
	if back {
		from, to = to, from
	}
	var found Target
	for _, t := range table {
		r, ok := parseRelease(t.Name)
		between := ok && r.family == from.family && r.proposed == proposed && from.before(r) && r.before(to)
		if !between || t.Model != Ignored && t.Model != Synthetic {
			continue
		}
		if found = t; !back {
			return found, true // the first one up, the last one down: the nearest to where the way begins
		}
	}
	return found, found.Name != ""
}
