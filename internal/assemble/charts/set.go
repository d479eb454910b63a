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

// Set is a chart and what it is rendered with.
type Set struct {
	// Chart is the folder of the chart, or its archive. Name tells its sets apart: the chart's folder, and what is special.
	Chart, Name string
	// Values are merged over the chart's own, the later win. Files are those among them that lie in the repository.
	Values []render.ValuesFile
	Files  []string
	// ReleaseName is the chart's own name when it is empty, and Namespace one that nobody knows yet,
	// objects.ReleaseNamespace.
	ReleaseName, Namespace string
	// KubeVersion and APIVersions are as in render.ChartOptions.
	KubeVersion string
	APIVersions []string
	// Besides are API versions with which another set is rendered that agrees with this one in all else.
	Besides []string
	// Faults are why it cannot be rendered, known before it is tried.
	Faults []objects.Problem
}

// Settings are what the user says about how charts are rendered.
type Settings struct {
	// Charts are those that the configuration speaks of, by their folders.
	Charts map[string]Chart
	// APIVersions are those of --helm-api-versions: charts that ask for versions are rendered with them as well as without.
	APIVersions []string
}

// Chart is what the configuration says of a chart.
type Chart struct {
	// Values are further sets, each of files of the repository of which the later win.
	Values [][]string
	// APIVersions and KubeVersion are for all sets of the chart.
	APIVersions []string
	KubeVersion string
	// Place is where the configuration says so; its File is "" where that is not a file of the repository.
	Place objects.Position
}

// Sets lists what the charts of a repository are rendered with: each with its own values.yaml, with each ci/*-values.yaml, as
// `ct lint` does, and with what the settings say; and where the user names API versions and the chart asks for any, each of
// these with the versions as well. Names are all files of the repository.
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
		if len(s.APIVersions) > 0 && asksForVersions(files, dir) {
			more := withVersions(sets, s.APIVersions)
			for i := range sets {
				sets[i].Besides = s.APIVersions
			}
			sets = append(sets, more...)
		}
		all = append(all, sets...)
	}
	return append(distinct(all), s.missing(dirs, files)...)
}

// testValues are the files that a chart's own tests are run with.
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

// withValues makes a set of each list of files.
func withValues(dir string, lists [][]string, files render.Files) []Set {
	var sets []Set
	for _, list := range lists {
		set := Set{Chart: dir, Name: nameWith(dir, list), Files: list}
		for _, name := range list {
			data, err := files.ReadFile(name)
			if err != nil {
				set.Faults = append(set.Faults, unreadable(dir, name, err))
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
		reason = "there is no such file (paths are relative to the folder of the configuration)"
	}
	return objects.Problem{Message: fmt.Sprintf("the chart %s was not checked with the values of %s: %s", chart, values, reason)}
}

// nameWith calls a set by its files, from the chart where they lie in it.
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

func withVersions(sets []Set, versions []string) []Set {
	var more []Set
	for _, set := range sets {
		set.Name += ", API versions " + strings.Join(versions, ", ")
		if len(set.Files) == 0 {
			set.Name = set.Chart + " with API versions " + strings.Join(versions, ", ")
		}
		set.APIVersions = slices.Concat(set.APIVersions, versions)
		more = append(more, set)
	}
	return more
}

// locate gives faults that have no place the one of the configuration, or of the chart.
func (s Set) locate(place objects.Position) {
	for i := range s.Faults {
		if s.Faults[i].Position.File == "" {
			s.Faults[i].Position = orChart(place, s.Chart)
		}
	}
}

func orChart(place objects.Position, chart string) objects.Position {
	if place.File != "" {
		return place
	}
	return objects.Position{File: path.Join(chart, chartFile), Line: 1, Column: 1}
}

// distinct leaves the first of sets with one name: a configuration may name the values of ci/ as well.
func distinct(sets []Set) []Set {
	seen := map[string]bool{}
	return slices.DeleteFunc(sets, func(s Set) bool {
		again := seen[s.Name]
		seen[s.Name] = true
		return again
	})
}

// missing says of charts in the configuration that they are none. A chart of a bundle may be an archive, or lie outside of what
// is walked.
func (s Settings) missing(dirs []string, files render.Files) []Set {
	var sets []Set
	for dir, chart := range s.Charts {
		if slices.Contains(dirs, dir) || exists(files, dir) || exists(files, path.Join(dir, chartFile)) || chart.Place.File == "" {
			continue
		}
		sets = append(sets, Set{Chart: dir, Name: dir, Faults: []objects.Problem{{Position: chart.Place,
			Message: fmt.Sprintf("there is no chart %s: `helm` names the folders of charts, relative to the folder of the configuration", dir)}}})
	}
	slices.SortFunc(sets, func(a, b Set) int { return cmp.Compare(a.Name, b.Name) })
	return sets
}

func exists(files render.Files, name string) bool {
	_, err := files.ReadFile(name)
	return err == nil
}
