package olm

// Next returns the release to which a cluster with this target is updated next, as far as the table knows it. If two
// releases were published together, the update of the lower one leads to the one after both. For a bare model that honors
// accounts it is the model that ignores them.
func (t Target) Next() (Target, bool) {
	own, ok := parseRelease(t.Name)
	if !ok {
		honors := t.Name == string(Required) || t.Name == string(Synthetic)
		return modelTarget(Ignored), honors
	}
	line := lineOf(own)
	for i, other := range line {
		if r, _ := parseRelease(other.Name); !own.before(r) {
			continue
		}
		if other.ReleasedWith == t.Name && i+1 < len(line) && line[i+1].Model == other.Model {
			return line[i+1], true
		}
		return other, true
	}
	return Target{}, false
}

// lineOf returns the rows of the table that belong to the family and the schedule of a release, in ascending order.
func lineOf(own release) []Target {
	var line []Target
	for _, t := range table {
		if r, ok := parseRelease(t.Name); ok && r.family == own.family && r.proposed == own.proposed {
			line = append(line, t)
		}
	}
	return line
}

// NextChange returns the first release after this one that treats the field differently.
func (t Target) NextChange() (Target, bool) {
	next, ok := t.Next()
	for ok && next.Model == t.Model {
		next, ok = next.Next()
	}
	return next, ok
}

// Sides returns the last shipped release that requires the field, of OpenShift or upstream, and the one to which it is
// updated, which ignores the field.
func Sides(onOpenShift bool) (last, first Target) {
	for _, t := range shipped() {
		if t.OpenShift() == onOpenShift && t.Model == Required {
			last = t
		}
	}
	first, _ = last.Next()
	return last, first
}
