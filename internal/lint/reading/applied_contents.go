package reading

import (
	"context"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
)

// AppliedContents are the units that Argo CD and Flux apply as accounts, with all of their objects. The units that are judged have
// only those that rules need.
type AppliedContents struct {
	snapshot *Snapshot

	mu       sync.Mutex
	complete map[objects.UnitKey]*objects.Unit
}

// AppliedContents returns the contents of the units of a snapshot.
func (s *Snapshot) AppliedContents() *AppliedContents { return &AppliedContents{snapshot: s} }

// Of returns a unit with all of its objects. They are read when this is called first.
func (c *AppliedContents) Of(ctx context.Context, unit *objects.Unit) (*objects.Unit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.complete == nil {
		if err := c.read(ctx); err != nil {
			return nil, err
		}
	}
	if found := c.complete[unit.Key()]; found != nil {
		return found, nil
	}
	return unit, nil
}

func (c *AppliedContents) read(ctx context.Context) error {
	acting := map[objects.UnitKey]bool{}
	contents := map[string][]byte{}
	names := slices.Sorted(slices.Values(c.snapshot.Collection.Names))
	for _, unit := range c.snapshot.Delivery.ActingUnits() {
		acting[unit.Key()] = true
		for _, file := range c.filesOf(unit, names) {
			if _, known := contents[file]; known {
				continue
			}
			if data, err := c.snapshot.Tree.Read(file); err == nil { // a note reports a file that cannot be read
				contents[file] = data
			}
		}
	}
	complete := map[objects.UnitKey]*objects.Unit{}
	if len(contents) > 0 {
		built, err := loader.Rebuild(ctx, c.snapshot.assembly, c.snapshot.Units, loader.Change{
			Contents: contents, Built: func(u *objects.Unit) bool { return acting[u.Key()] },
		})
		if err != nil {
			return err
		}
		for _, unit := range built {
			if acting[unit.Key()] {
				complete[unit.Key()] = unit
			}
		}
	}
	c.complete = complete
	return nil
}

// filesOf returns the files whose objects a unit applies, of the sorted names of all files.
func (c *AppliedContents) filesOf(unit *objects.Unit, names []string) []string {
	var files []string
	add := func(file string) {
		if _, there := slices.BinarySearch(names, file); there {
			files = append(files, file)
		}
	}
	for _, k := range unit.Kustomizations {
		for _, entry := range k.Resources {
			add(entry.Target)
		}
	}
	for _, r := range unit.Renderings {
		for _, dir := range r.Folders() {
			add(path.Join(dir, "Chart.yaml"))
		}
	}
	for _, o := range slices.Concat(unit.Objects, unit.Sources) {
		add(o.File)
	}
	if len(unit.Takes) > 0 {
		for _, file := range c.filesBelowSources(unit, names) {
			if slices.ContainsFunc(unit.Takes, func(takes func(string) bool) bool { return takes(file) }) {
				files = append(files, file)
			}
		}
	}
	return files
}

// filesBelowSources returns the files in the folders of the applications that apply a unit.
func (c *AppliedContents) filesBelowSources(unit *objects.Unit, names []string) []string {
	var files []string
	for _, a := range c.snapshot.Applications.Of(unit) {
		for _, s := range a.Sources {
			if !s.Here() {
				continue
			}
			prefix := s.Path.Value + "/"
			if s.Path.Value == "." {
				prefix = ""
			}
			from := sort.SearchStrings(names, prefix)
			for _, file := range names[from:] {
				if !strings.HasPrefix(file, prefix) {
					break
				}
				files = append(files, file)
			}
		}
	}
	return files
}
