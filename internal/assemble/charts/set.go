package charts

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Set is a chart with everything that it is rendered with.
type Set struct {
	// Chart is the folder of the chart, or its archive. Name identifies the set: the chart's folder, and what distinguishes
	// the set.
	Chart, Name string
	// Values are merged over the chart's own; later ones win. Files are those of them that are files of the repository.
	Values []render.ValuesFile
	Files  []string
	// ReleaseName is the chart's name if it is empty. Namespace is objects.ReleaseNamespace if it is unknown.
	ReleaseName, Namespace string
	// KubeVersion and APIVersions are as in render.ChartOptions.
	KubeVersion string
	APIVersions []string
	// OtherVersions are the API versions of another set, which differs in nothing else.
	OtherVersions []string
	// Tested is set if its API versions are those that templates test, and Together if they are several, of which a cluster can have some.
	Tested, Together bool
	// Dependencies is what builds the dependencies that are in the repository.
	Dependencies render.DependencyBuild
	// SkipCRDs is set if what is in crds/ is not applied.
	SkipCRDs bool
	// Applied is set if a tool certainly renders the chart with these values, and they are all known.
	Applied bool
	// Problems are why the set cannot be rendered, known before it is tried.
	Problems []objects.Problem
}

// Rendering returns what a unit knows of the set before it is rendered.
func (s Set) Rendering(files render.Files) objects.Rendering {
	r := objects.Rendering{Chart: s.Chart, Values: s.Files, APIVersions: s.APIVersions}
	if files == nil {
		return r
	}
	dependencies, _ := render.LocalDependencies(files, s.Chart, s.Dependencies) // rendering the chart reports the error
	for _, d := range dependencies {
		r.Dependencies = append(r.Dependencies, d.Dir)
	}
	slices.Sort(r.Dependencies)
	r.Dependencies = slices.Compact(r.Dependencies)
	return r
}

// Settings configure how charts are rendered.
type Settings struct {
	// Charts are the charts in the configuration, by folder.
	Charts map[string]Chart
	// APIVersions are those of --helm-api-versions: charts that test API versions are rendered with and without them.
	APIVersions []string
	// Tested are the API versions that the templates of some charts test, by folder; those of others are read. See [TestedBefore].
	Tested map[string][]string
}

// TestedBefore returns the API versions that templates of those charts test in which files change, by folder. With them, the charts have the
// same sets after the change, also if it removes the last test of a version.
func TestedBefore(names []string, files render.Files, s Settings, changed map[string][]byte) map[string][]string {
	tested := map[string][]string{}
	for _, dir := range Find(names) {
		for file := range changed {
			if dir == "." || strings.HasPrefix(file, dir+"/") {
				tested[dir] = read(files, dir, render.BuiltByUser).testedVersions(Set{Chart: dir, APIVersions: s.Charts[dir].APIVersions})
				break
			}
		}
	}
	return tested
}

// Chart is the configuration of a chart.
type Chart struct {
	// Values are further sets, each a list of files of the repository; later ones win.
	Values [][]string
	// APIVersions and KubeVersion apply to all sets of the chart.
	APIVersions []string
	KubeVersion string
	// Place is the position in the configuration; its File is "" if the configuration is not a file of the repository.
	Place objects.Position
}

// Sets returns the sets of the charts of a repository: each chart with its own values.yaml, with each ci/*-values.yaml, as
// `ct lint` does, and with the values of the settings. If the settings list API versions and the chart tests any, each of
// these is also rendered with them. names are all files of the repository.
func Sets(names []string, files render.Files, s Settings) []Set {
	dirs := Find(names)
	var all []Set
	for _, dir := range dirs {
		sets := append([]Set{{Chart: dir, Name: dir}}, withValues(dir, testValues(names, dir), files)...)
		chart := s.Charts[dir]
		sets = append(sets, withValues(dir, chart.Values, files)...)
		for i := range sets {
			sets[i].KubeVersion, sets[i].APIVersions = chart.KubeVersion, chart.APIVersions
			sets[i].locate(chart.Place)
		}
		c := read(files, dir, render.BuiltByUser)
		tested, isKnown := s.Tested[dir]
		if !isKnown {
			tested = c.testedVersions(sets[0])
		}
		switch {
		case len(s.APIVersions) > 0 && c.testsVersions():
			sets = append(sets, withVersions(sets, s.APIVersions)...)
		case len(tested) > 0:
			more := withVersions(sets[:1], tested)
			more[0].Tested, sets[0].Together, more[0].Together = true, len(tested) > 1, len(tested) > 1
			sets = append(sets, more...)
		}
		all = append(all, sets...)
	}
	return append(distinct(all), s.missing(dirs, files)...)
}

// HasOwnValues reports whether a unit is a chart without values other than its own.
func HasOwnValues(u *objects.Unit) bool {
	return u.Kind == objects.ChartUnit && len(u.Appliers) == 0 && len(u.Renderings) == 1 && len(u.Renderings[0].Values) == 0
}

// testValues returns the values files of a chart's own tests.
func testValues(names []string, dir string) [][]string {
	var sets [][]string
	for _, name := range names {
		if path.Dir(name) == path.Join(dir, "ci") && strings.HasSuffix(name, "-values.yaml") {
			sets = append(sets, []string{name})
		}
	}
	slices.SortFunc(sets, slices.Compare[[]string])
	return sets
}

// withValues returns a set for each list of files.
func withValues(dir string, lists [][]string, files render.Files) []Set {
	var sets []Set
	for _, list := range lists {
		set := Set{Chart: dir, Name: nameWith(dir, list), Files: list}
		for _, name := range list {
			data, err := files.ReadFile(name)
			if err != nil {
				set.Problems = append(set.Problems, unreadable(dir, name, err))
				continue
			}
			set.Values = append(set.Values, render.ValuesFile{Name: name, Data: data})
		}
		sets = append(sets, set)
	}
	return sets
}

func unreadable(chart, values string, err error) objects.Problem {
	reason := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		reason = "the file does not exist (paths are relative to the folder of the configuration)"
	}
	return objects.Problem{Message: fmt.Sprintf("the chart %s was not checked with the values of %s: %s", chart, values, reason)}
}

// nameWith names a set by its files, relative to the chart if they are in it.
func nameWith(dir string, files []string) string {
	short := make([]string, len(files))
	for i, file := range files {
		short[i] = file
		if inside, ok := strings.CutPrefix(file, dir+"/"); ok {
			short[i] = inside
		}
	}
	return dir + " with " + strings.Join(short, ", ")
}

// withVersions returns a further set with API versions for each set, and marks the sets.
func withVersions(sets []Set, versions []string) []Set {
	var more []Set
	for i, set := range sets {
		set.Name += ", API versions " + strings.Join(versions, ", ")
		if len(set.Files) == 0 {
			set.Name = set.Chart + " with API versions " + strings.Join(versions, ", ")
		}
		set.APIVersions = slices.Concat(set.APIVersions, versions)
		more = append(more, set)
		sets[i].OtherVersions = versions
	}
	return more
}

// locate sets the position of problems without one to that of the configuration, or of the chart.
func (s Set) locate(place objects.Position) {
	for i := range s.Problems {
		if s.Problems[i].Position.File == "" {
			s.Problems[i].Position = orChart(place, s.Chart)
		}
	}
}

func orChart(place objects.Position, chart string) objects.Position {
	if place.File != "" {
		return place
	}
	return objects.Position{File: path.Join(chart, chartFile), Line: 1, Column: 1}
}

// distinct removes sets with the name of an earlier one: a configuration can list the values of ci/ as well.
func distinct(sets []Set) []Set {
	seen := map[string]bool{}
	return slices.DeleteFunc(sets, func(s Set) bool {
		again := seen[s.Name]
		seen[s.Name] = true
		return again
	})
}

// missing returns a set with a problem for each chart in the configuration that does not exist. A chart can also be an
// archive, or lie in a folder that is not walked.
func (s Settings) missing(dirs []string, files render.Files) []Set {
	var sets []Set
	for dir, chart := range s.Charts {
		if slices.Contains(dirs, dir) || exists(files, dir) || exists(files, path.Join(dir, chartFile)) || chart.Place.File == "" {
			continue
		}
		sets = append(sets, Set{Chart: dir, Name: dir, Problems: []objects.Problem{{Position: chart.Place,
			Message: fmt.Sprintf("the chart %s does not exist. In `helm`, use the folders of charts, relative to the folder of the configuration", dir)}}})
	}
	slices.SortFunc(sets, func(a, b Set) int { return cmp.Compare(a.Name, b.Name) })
	return sets
}

func exists(files render.Files, name string) bool {
	_, err := files.ReadFile(name)
	return err == nil
}
