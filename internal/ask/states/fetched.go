package states

import (
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/assemble/coverage"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
)

// addFetched adds the objects of changed files whose controllers apply what they download. A new one can bring any power; of one that is changed, what it
// brought before is not known either.
func (c *contents) addFetched(r *change.Report, selects func(file string) bool) {
	files := slices.Sorted(maps.Keys(c.changed))
	for _, name := range c.after.Collection.Names {
		if isFleet(name) && !c.changed[name] && c.changesValuesOf(name) {
			files = append(files, name)
		}
	}
	before := map[string][]fetcher{}
	for _, file := range slices.Concat(files, c.removed()) {
		for _, f := range fetchersIn(c.before, file) {
			before[f.title] = append(before[f.title], f)
		}
	}
	for _, file := range files {
		if !selects(file) || c.tests[file] {
			continue
		}
		for _, f := range fetchersIn(c.after, file) {
			reason := f.title + ": " + f.tool + " applies what it names, which is not read"
			was, isOld := f.earlier(before[f.title])
			deciding, _ := origin.Compare(was.settings, f.settings)
			switch {
			case !isOld && !f.adds:
				r.NotRead.AddContent(f.at, reason)
			case len(deciding) > 0:
				r.NotRead.MarkEdited(file, coverage.Gap{Reason: reason, Cause: f.at})
			case isOld && was.revision != f.revision:
				r.NotRead.AddRevision(f.at, reason, was.revision, f.revision)
			}
		}
	}
}

// removed returns the files that are no longer there: what they held can have moved.
func (c *contents) removed() []string {
	there := map[string]bool{}
	for _, name := range c.after.Collection.Names {
		there[name] = true
	}
	return slices.DeleteFunc(slices.Clone(c.before.Collection.Names), func(name string) bool { return there[name] })
}

// fetcher is an object whose controller applies what it downloads.
type fetcher struct {
	title, tool string
	// adds is set if the object applies nothing alone.
	adds bool
	// settings are the fields of the specification without those that choose a revision of the same source, and revision are these.
	settings []origin.Setting
	revision string
	at       objects.Position
}

// earlier returns what an object was among those of its name: that of its file, otherwise one that names the same, as of a file that moved. Clusters can
// have objects of one name with different contents.
func (f fetcher) earlier(all []fetcher) (was fetcher, is bool) {
	for _, same := range []func(fetcher) bool{
		func(other fetcher) bool { return other.at.File == f.at.File },
		func(other fetcher) bool { return slices.Equal(other.settings, f.settings) },
		func(fetcher) bool { return true },
	} {
		if i := slices.IndexFunc(all, same); i >= 0 {
			return all[i], true
		}
	}
	return fetcher{}, false
}

// fetchersIn returns those of a file, if it is a manifest that is in the state.
func fetchersIn(state read, file string) []fetcher {
	text, err := state.Text(file)
	if err != nil || !repo.IsManifest(file) {
		return nil
	}
	if isFleet(file) {
		return fleetIn(state, file, text)
	}
	var found []fetcher
	for _, doc := range manifest.Scan(file, text).Docs {
		group, _, _ := strings.Cut(doc.APIVersion(), "/")
		row, is := danger.FetcherOf(group, doc.Kind())
		if !is || doc.Parse() != nil {
			continue
		}
		for _, o := range objects.Objects(doc) {
			f := fetcher{title: o.Kind + " " + strings.TrimPrefix(o.Namespace+"/"+o.Name, "/"), tool: row.Tool, adds: row.Adds, at: o.Position(nil)}
			spec, _ := o.JSON()["spec"].(map[string]any)
			f.take("", spec, group)
			f.takeAnnotations(o)
			f.sort()
			found = append(found, f)
		}
	}
	return found
}
