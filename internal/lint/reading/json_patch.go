package reading

import (
	"slices"

	"github.com/salint/salint/internal/files/testfiles"
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

// TestFolders returns a function that returns the folder of the data of tests to which a file belongs; "" for other files.
func (s *Snapshot) TestFolders() func(file string) string {
	tests := testfiles.New(s.assembly.Tests, s.Collection.Names)
	return func(file string) string {
		folder, is := tests.Folder(file)
		if !is || s.assembly.Named != nil && s.assembly.Named(folder, file) {
			return ""
		}
		return folder
	}
}
