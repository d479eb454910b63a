package render

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// dependencyBuild builds the dependencies of one chart, without those of its dependencies.
//
// Sources: Manager.Build of helm.sh/helm/v3/pkg/downloader, which Argo CD runs if the chart lacks a dependency (helmTemplate in
// reposerver/repository); DependencyManager in internal/helm/chart of fluxcd/source-controller.
type dependencyBuild struct {
	tree Files
	dir  string
	by   DependencyBuild

	metadata chart.Metadata
	lock     *chart.Lock
	charts   []vendored
}

// vendored is a chart in charts/: its name, and that of its folder or archive.
type vendored struct{ name, entry string }

func (v vendored) isArchive() bool { return path.Ext(v.entry) == archiveExt }

// built is the result of a build: what is added to charts/, and the archives that are removed from it.
type built struct {
	added    []addedChart
	replaced []string
}

// addedChart is a chart of the repository in a new folder of charts/.
type addedChart struct{ name, dir, folder string }

const fileScheme = "file://"

func isLocal(d *chart.Dependency) bool { return strings.HasPrefix(d.Repository, fileScheme) }

// newDependencyBuild reads the list of the dependencies of a chart. What cannot be read is left out, because Helm reports it when it
// loads the chart.
func newDependencyBuild(tree Files, dir string, by DependencyBuild) *dependencyBuild {
	b := &dependencyBuild{tree: tree, dir: dir, by: by}
	b.read(chartFile, &b.metadata)
	b.read("requirements.yaml", &b.metadata)
	return b
}

// readBuilt reads what is built already: the lock file, and charts/.
func (b *dependencyBuild) readBuilt() {
	for _, name := range []string{"Chart.lock", "requirements.lock"} {
		var lock chart.Lock
		if b.read(name, &lock) {
			b.lock = &lock
		}
	}
	entries, _ := b.tree.ReadDir(path.Join(b.dir, "charts"))
	for _, entry := range entries {
		if name := b.nameInCharts(entry.Name()); name != "" {
			b.charts = append(b.charts, vendored{name, entry.Name()})
		}
	}
}

// read reads a file of the chart.
func (b *dependencyBuild) read(name string, value any) bool {
	real, err := Resolve(b.tree, path.Join(b.dir, name))
	if err != nil {
		return false
	}
	data, err := b.tree.ReadFile(real)
	return err == nil && yaml.Unmarshal(data, value) == nil
}

// archiveName is the name of an archive of a chart, without its extension.
var archiveName = lazyregexp.New(`^(.+?)-v?[0-9]+\.[0-9]+\.[0-9]`)

// nameInCharts returns the name of a chart in charts/; "" for anything else.
func (b *dependencyBuild) nameInCharts(entry string) string {
	if strings.IndexAny(entry, "_.") == 0 {
		return ""
	}
	if archive, is := strings.CutSuffix(entry, archiveExt); is {
		if match := archiveName().FindStringSubmatch(archive); match != nil {
			return match[1]
		}
		return archive
	}
	var metadata chart.Metadata
	b.read(path.Join("charts", entry, chartFile), &metadata)
	return metadata.Name
}

// has reports whether a chart of a name is in charts/.
func (b *dependencyBuild) has(name string) bool {
	return slices.ContainsFunc(b.charts, func(v vendored) bool { return v.name == name })
}

func (b *dependencyBuild) build() (built, error) {
	wanted := withoutNil(b.metadata.Dependencies)
	if !slices.ContainsFunc(wanted, isLocal) {
		return built{}, nil
	}
	b.readBuilt()
	if b.by == BuiltByFlux {
		return b.flux(wanted)
	}
	return b.helm(wanted)
}

func withoutNil(all []*chart.Dependency) []*chart.Dependency {
	return slices.DeleteFunc(slices.Clone(all), func(d *chart.Dependency) bool { return d == nil })
}

// helm builds as `helm dependency build`, if a dependency is missing: all dependencies again, from the lock file if there is one.
func (b *dependencyBuild) helm(wanted []*chart.Dependency) (built, error) {
	missing := slices.IndexFunc(wanted, func(d *chart.Dependency) bool { return !b.has(d.Name) })
	if missing < 0 {
		return built{}, nil
	}
	locked := wanted
	if b.lock != nil {
		locked = withoutNil(b.lock.Dependencies)
	}
	remote := slices.IndexFunc(locked, func(d *chart.Dependency) bool { return !isLocal(d) && d.Repository != "" })
	switch {
	case remote >= 0 && len(b.charts) > 0: // what charts/ has is built again, too
		return b.unbuilt(wanted), b.fault(locked[remote].Name, "dependencies missing in charts/: %s. `helm dependency build` downloads %s, "+
			"and salint does not: run it in the chart, and commit the result", wanted[missing].Name, locked[remote].Name)
	case b.lock != nil && !b.isLocked():
		return b.unbuilt(wanted), b.fault("", "the lock file is out of sync with the dependencies, so `helm dependency build` fails: "+
			"run `helm dependency update` in the chart, and commit the lock file")
	}
	made, err := b.addAll(wanted, locked)
	for _, v := range b.charts {
		kept := slices.ContainsFunc(locked, func(d *chart.Dependency) bool { return d.Repository == "" && d.Name == v.name })
		if v.isArchive() && !kept {
			made.replaced = append(made.replaced, v.entry)
		}
	}
	return made, err
}

// flux builds as source-controller: only what is missing under its alias, or under its name without one, and nothing if charts/ has as many
// charts as there are dependencies. Those of the lock file count if there is one.
func (b *dependencyBuild) flux(wanted []*chart.Dependency) (built, error) {
	locked := wanted
	if b.lock != nil {
		locked = withoutNil(b.lock.Dependencies)
	}
	if len(b.charts) == len(locked) {
		return built{}, nil
	}
	locked = slices.DeleteFunc(locked, func(d *chart.Dependency) bool { return b.has(cmp.Or(d.Alias, d.Name)) })
	return b.addAll(wanted, locked)
}

// addAll adds the local ones of locked dependencies. Others that are missing are reported when the chart is rendered.
func (b *dependencyBuild) addAll(wanted, locked []*chart.Dependency) (built, error) {
	var made built
	for _, d := range locked {
		if !isLocal(d) {
			continue
		}
		one, err := b.one(d)
		if err != nil {
			return b.unbuilt(wanted), err
		}
		if one == (addedChart{}) {
			continue
		}
		// A chart of the same name and version takes the place of an earlier one.
		made.added = append(slices.DeleteFunc(made.added, func(a addedChart) bool { return a.folder == one.folder }), one)
	}
	return made, nil
}

// unbuilt has the folders that a failed build reads, as far as they exist.
func (b *dependencyBuild) unbuilt(wanted []*chart.Dependency) built {
	var made built
	for _, d := range wanted {
		if dir, err := b.folder(d); isLocal(d) && err == nil && dir != b.dir {
			made.added = append(made.added, addedChart{name: d.Name, dir: dir, folder: d.Name})
		}
	}
	return made
}

// one returns the chart of a local dependency; zero if a folder in charts/ is a copy of it.
func (b *dependencyBuild) one(d *chart.Dependency) (addedChart, error) {
	dir, err := b.folder(d)
	if err != nil {
		return addedChart{}, b.fault(d.Name, "the dependency %s (%s) is not in the repository: %v", d.Name, d.Repository, err)
	}
	var metadata chart.Metadata
	file := path.Join(dir, chartFile)
	sub := &dependencyBuild{tree: b.tree, dir: dir}
	switch {
	case !sub.read(chartFile, &metadata):
		return addedChart{}, b.fault(d.Name, "the dependency %s (%s) is not in the repository: %s cannot be read", d.Name, d.Repository, file)
	case metadata.Name != d.Name:
		return addedChart{}, b.fault(d.Name, "the dependency %s has another name in %s: %s", d.Name, file, metadata.Name)
	case !chartutil.IsCompatibleRange(d.Version, metadata.Version):
		return addedChart{}, b.fault(d.Name, "the dependency %s must have a version of %q, and has %q in %s", d.Name, d.Version, metadata.Version, file)
	}
	folder := metadata.Name + "-" + metadata.Version
	for _, v := range b.charts {
		switch {
		case v.name != d.Name || v.isArchive() && b.by != BuiltByFlux:
		case b.isCopy(dir, path.Join(b.dir, "charts", v.entry)):
			return addedChart{}, nil
		default:
			return addedChart{}, b.fault(d.Name, "the dependency %s is in charts/ and in %s, which differ, and both become part of the chart: make them equal, or remove charts/%s",
				d.Name, dir, v.entry)
		}
	}
	if b.by != BuiltByFlux && b.ignores(path.Join("charts", folder+archiveExt)) {
		return addedChart{}, b.fault(d.Name, "the dependency %s is built into charts/%s%s, which .helmignore excludes, so it is missing", d.Name, folder, archiveExt)
	}
	for isDir(b.tree, path.Join(b.dir, "charts", folder)) {
		folder += "-"
	}
	return addedChart{d.Name, dir, folder}, nil
}

// folder returns the folder of a local dependency. Flux does not leave the repository: a path that does ends at its top.
func (b *dependencyBuild) folder(d *chart.Dependency) (string, error) {
	name := strings.TrimPrefix(d.Repository, fileScheme)
	if b.by == BuiltByFlux {
		parsed, err := url.Parse(d.Repository)
		if err != nil {
			return "", err
		}
		name = strings.TrimPrefix(path.Join("/", b.dir, parsed.Host, parsed.Path), "/")
	} else if path.IsAbs(name) {
		return "", errors.New("the path is absolute")
	} else {
		name = path.Join(b.dir, name)
	}
	name = cmp.Or(name, ".")
	if !fs.ValidPath(name) {
		return "", errors.New("the path leads out of it")
	}
	real, err := Resolve(b.tree, name)
	if err == nil && !isDir(b.tree, real) {
		err = fmt.Errorf("there is no folder %s", real)
	}
	return real, err
}

// isCopy reports whether two folders have charts of the same files.
func (b *dependencyBuild) isCopy(dir, copied string) bool {
	one, err := parts{dir: dir}.files(b.tree, defaultBytes)
	if err != nil {
		return false
	}
	other, err := parts{dir: copied}.files(b.tree, defaultBytes)
	return err == nil && reflect.DeepEqual(one.files, other.files)
}

// ignores reports whether .helmignore of the chart excludes a file.
func (b *dependencyBuild) ignores(name string) bool {
	rules, err := ignoreRules(b.tree, b.dir)
	return err == nil && rules.Ignore(name, pathInfo{name, false})
}

// fault returns an error at the entry of a dependency, or at the first line.
func (b *dependencyBuild) fault(name, format string, args ...any) *Error {
	at := &Error{File: path.Join(b.dir, chartFile), Line: 1, Column: 1, Message: fmt.Sprintf(format, args...)}
	data, err := b.tree.ReadFile(at.File)
	if err != nil {
		return at
	}
	for _, doc := range manifest.Scan(at.File, data).Docs {
		if doc.Parse() != nil {
			return at
		}
		for _, item := range doc.Root.Get("dependencies").Items() {
			if name != "" && item.Get("name").String() == name {
				at.Line, at.Column = doc.File.Position(item.Span().Start)
				return at
			}
		}
	}
	return at
}

// isLocked reports whether the lock file was written for the dependencies: with the digest of Helm 3, or, for a chart of the older format, that of Helm 2.
func (b *dependencyBuild) isLocked() bool {
	digest := func(value any) string {
		data, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		sum := sha256.Sum256(data)
		return "sha256:" + hex.EncodeToString(sum[:])
	}
	wanted := b.metadata.Dependencies
	if b.lock.Digest == digest([2][]*chart.Dependency{wanted, b.lock.Dependencies}) {
		return true
	}
	isOld := b.metadata.APIVersion == "" || b.metadata.APIVersion == chart.APIVersionV1
	return isOld && b.lock.Digest == digest(map[string][]*chart.Dependency{"dependencies": wanted})
}
