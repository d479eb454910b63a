package lint

import "fmt"

// unproven returns where and why an application may apply a file in a form that cannot be rendered; "" if none does.
func (r *run) unproven(file string) (place, why string) {
	if found, is := r.Applications.Unresolved(file); is {
		return found.Position.String(), found.Message
	}
	return "", ""
}

// leftOut returns the ignore rule or application filter that excludes a new file, and its effect; "" if none does.
func (r *run) leftOut(file string) (place, why string) {
	if place, is := r.Snapshot.Tree.Ignored(file); is {
		return place, "git does not commit it"
	}
	if place, by, is := r.Applications.IgnoredBySource(file); is {
		return place, fmt.Sprintf("the %s does not apply it", by)
	}
	return "", ""
}

// leftOutOnce returns leftOut with the answers kept: a plan is merged several times, and its new files stay the same.
func (r *run) leftOutOnce() func(file string) (place, why string) {
	type answer struct{ place, why string }
	answers := map[string]answer{}
	return func(file string) (place, why string) {
		known, ok := answers[file]
		if !ok {
			known.place, known.why = r.leftOut(file)
			answers[file] = known
		}
		return known.place, known.why
	}
}
