package render

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// DependencyBuild is what adds the dependencies of a chart that are folders of the repository (`repository: file://…`) and not in its
// charts/.
type DependencyBuild int

// The builds of dependencies. A user runs `helm dependency build` in each chart that needs it, Argo CD runs it in the chart of an application
// only. Flux builds the dependencies of the chart of a release itself. NotBuilt is that of kustomize.
const (
	BuiltByUser DependencyBuild = iota
	BuiltByArgoCD
	BuiltByFlux
	NotBuilt
)

// LocalDependency is a chart of the repository that is built into another one.
type LocalDependency struct{ Name, Dir string }

// LocalDependencies returns the charts of the repository that are built into a chart, also into its dependencies. If the build
// fails, they are those that it would have read, and the error is why.
func LocalDependencies(tree Files, dir string, by DependencyBuild) ([]LocalDependency, error) {
	p, err := partsOf(tree, path.Clean(dir), by)
	var all []LocalDependency
	for _, d := range p.added {
		if one := (LocalDependency{d.name, d.dir}); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all, err
}

// parts are what a chart is built from.
type parts struct {
	dir string
	// added are the charts of the repository that are built into it, each after the one that it belongs to.
	added []part
	// replaced are the archives of its charts/ that the build removes, as paths in the chart.
	replaced map[string]bool
}

// part is a chart of the repository that is built into another one, at a path in it.
type part struct{ name, dir, at string }

// place returns the path in the repository of a path in the chart.
func (p parts) place(name string) string {
	dir, rest := p.dir, name
	for _, d := range p.added {
		if inside, is := strings.CutPrefix(name, d.at+"/"); is {
			dir, rest = d.dir, inside
		}
	}
	return path.Join(dir, rest)
}

// maxParts limits the charts that are built into a chart.
const maxParts = 1000

// partsOf returns what a chart is built from. The error is why the build fails.
func partsOf(tree Files, dir string, by DependencyBuild) (parts, error) {
	e := &expansion{tree: tree, parts: parts{dir: dir, replaced: map[string]bool{}}}
	err := e.add(dir, "", by, nil)
	return e.parts, err
}

// expansion collects the parts of a chart.
type expansion struct {
	tree Files
	parts
}

// add adds the dependencies of the chart of a folder, which is at a path in the whole chart, and in the charts of outer folders.
func (e *expansion) add(dir, at string, by DependencyBuild, outer []string) error {
	if by == NotBuilt || path.Ext(dir) == archiveExt {
		return nil
	}
	b := newDependencyBuild(e.tree, dir, by)
	built, err := b.build()
	for _, archive := range built.replaced {
		e.replaced[path.Join(at, "charts", archive)] = true
	}
	outer = append(outer[:len(outer):len(outer)], dir)
	for _, d := range built.added {
		if slices.Contains(outer, d.dir) {
			return b.fault(d.name, "the dependency %s leads back to the chart %s, of which it is a part", d.name, d.dir)
		}
		if len(e.added) == maxParts {
			return tooMuch("%s: more than %d charts are built into the chart", e.dir, maxParts)
		}
		place := path.Join(at, "charts", d.folder)
		e.added = append(e.added, part{d.name, d.dir, place})
		if by != BuiltByUser {
			continue
		}
		if err := e.add(d.dir, place, by, outer); err != nil {
			return err
		}
	}
	return err
}

// files reads the files of the whole chart.
func (p parts) files(tree Files, limit int64) (*collector, error) {
	c := &collector{tree: tree, dir: p.dir, limit: limit, replaced: p.replaced}
	if err := c.chart(p.dir, ""); err != nil {
		return nil, err
	}
	for _, d := range p.added {
		if err := c.chart(d.dir, d.at); err != nil {
			return nil, fmt.Errorf("%s: %w", d.dir, err)
		}
	}
	return c, nil
}
