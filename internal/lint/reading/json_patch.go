package reading

import (
	"slices"
)

func (d *decider) addPatch(file string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.patches = append(d.patches, file)
}

// UnreadJSONPatches returns the files with a JSON patch that no unit reads, sorted.
func (s *Snapshot) UnreadJSONPatches() []string {
	patches := slices.Sorted(slices.Values(s.decider.patches))
	return slices.DeleteFunc(patches, s.readByUnit)
}
