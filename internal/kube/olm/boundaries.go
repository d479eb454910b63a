package olm

import "strings"

// RequiredThrough names the last shipped releases that require the field, as in "olm-1.10 and OpenShift 4.23".
func RequiredThrough() string {
	last := map[string]string{}
	for _, t := range shipped() {
		if r, _ := parseRelease(t.Name); t.Model == Required {
			last[r.family] = t.Name
		}
	}
	return boundary(last)
}

// IgnoredFrom names the first shipped releases that ignore the field, as in "olm-1.11 and OpenShift 5.0".
func IgnoredFrom() string {
	first := map[string]string{}
	for _, t := range shipped() {
		if r, _ := parseRelease(t.Name); t.Model == Ignored && first[r.family] == "" {
			first[r.family] = t.Name
		}
	}
	return boundary(first)
}

// shipped returns the rows of the table for releases as they were shipped, in ascending order for each family.
func shipped() []Target {
	var all []Target
	for _, t := range table {
		if !t.Proposed {
			all = append(all, t)
		}
	}
	return all
}

func boundary(names map[string]string) string {
	return names[upstream] + " and OpenShift " + strings.TrimPrefix(names[openshift], openshift+"-")
}
