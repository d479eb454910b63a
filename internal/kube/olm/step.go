package olm

import "slices"

// Step is a change from one target to another.
type Step struct{ From, To Target }

// ReleaseLines groups targets by line of releases (upstream, OpenShift, OpenShift as proposed), oldest first. The
// technology preview and bare models are in no line.
func ReleaseLines(targets []Target) [][]Target {
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

// Downgrade reports whether a step leads back: to an older release of the same line, away from the technology preview, or,
// for bare models, to an earlier one. ok is false if the two are not ordered.
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

// BaseOfTechPreview is the release on which the proposal for the technology preview is based: the last one of the proposed
// schedule that requires the field.
func BaseOfTechPreview() Target {
	var base Target
	for _, t := range table {
		if t.Proposed && t.Model == Required {
			base = t
		}
	}
	return base
}

// Between returns the first known target of the same line that lies between the two and in which the field is optional; for
// bare models that is a model. If one of the two requires the field and the other does not have it, manifests can only be
// changed there.
func (s Step) Between() (Target, bool) {
	back, _ := s.Downgrade()
	from, fromOK := parseRelease(s.From.Name)
	to, toOK := parseRelease(s.To.Name)
	if !fromOK || !toOK || from.family != to.family {
		return modelTarget(Ignored), true
	}
	proposed := from.proposed || to.proposed // the proposed schedule continues the shipped releases
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
			return found, true // the first one up, the last one down: the nearest to the start
		}
	}
	return found, found.Name != ""
}
