package reading

import (
	"maps"
	"slices"

	"github.com/salint/salint/internal/assemble/coverage"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// addUnreadable takes note of a file with a document of no known kind that is not valid YAML. Its words show that no rule concerns it,
// but nothing shows what it was meant to be. Several goroutines call it.
func (d *decider) addUnreadable(f *manifest.File) {
	gap, is := coverage.Unparsable(f)
	if !is {
		return
	}
	d.mu.Lock()
	d.unreadable[f.Path] = gap
	d.mu.Unlock()
}

// Unreadable returns the gaps of files with a document of no known kind that is not valid YAML, by file. A unit that reads such a file,
// as a chart does with values, reports what is wrong with it, but none has objects from one that it lists as a resource.
func (s *Snapshot) Unreadable() map[string]coverage.Gap {
	gaps := maps.Clone(s.decider.unreadable)
	if len(gaps) == 0 {
		return gaps
	}
	listed := s.listed()
	maps.DeleteFunc(gaps, func(file string, _ coverage.Gap) bool { return !listed[file] && s.readByUnit(file) })
	return gaps
}

// listed returns the files and folders that kustomizations list.
func (s *Snapshot) listed() map[string]bool {
	listed := map[string]bool{}
	for _, unit := range s.Units {
		for _, k := range unit.Kustomizations {
			for _, entry := range k.Resources {
				listed[entry.Target] = true
			}
		}
	}
	return listed
}

func (s *Snapshot) readByUnit(file string) bool {
	return slices.ContainsFunc(s.Units, func(unit *objects.Unit) bool { return unit.Reads(file) })
}
