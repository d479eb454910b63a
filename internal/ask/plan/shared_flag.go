package plan

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/plan/commandline"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
)

// lintOf returns a command line like that of the options. A fix of a file that several units apply, or one that is not in the folder
// of its unit, needs --shared.
func (b *builder) lintOf(target string, flags, paths []string) string {
	if i := slices.Index(flags, "--fix"); i >= 0 && (b.needsShared(paths) || b.editsApplication(flags, paths)) {
		flags = slices.Insert(slices.Clone(flags), i+1, "--shared")
	}
	if i := slices.Index(flags, "--fix"); i >= 0 && b.contradicts(target, paths) {
		flags = slices.Insert(slices.Clone(flags), i+1, setTargetFlag)
	}
	return commandline.Lint(flags, target, b.Flags, paths)
}

const setTargetFlag = "--set-target"

// contradicts reports whether the configuration sets a target of another model for an extension in the paths, so that a fix for the target
// is refused without --set-target.
func (b *builder) contradicts(name string, paths []string) bool {
	target, err := olm.ParseTarget(name)
	return err == nil && slices.ContainsFunc(b.surveyed, func(e session.Surveyed) bool {
		return e.Today.Asked && e.Today.Target.Model != target.Model &&
			(len(paths) == 0 || isInAny(paths, b.Rel(e.File)) || isInAny(paths, b.Rel(e.Unit.Root)))
	})
}

// needsShared reports whether paths contain a file of a unit whose folder they do not contain, so that a fix of these paths alone does
// not change the unit. A file is enough for a unit that alone applies it, from its own folder.
func (b *builder) needsShared(paths []string) bool {
	if len(paths) == 0 || slices.Contains(paths, ".") {
		return false
	}
	for file, units := range b.readers {
		if !isInAny(paths, file) {
			continue
		}
		for _, u := range units {
			root := b.Rel(u.Root)
			if !isInAny(paths, root) && (len(units) > 1 || !isInAny([]string{root}, file)) {
				return true
			}
		}
	}
	return false
}

// fixedByPath reports whether the paths of the plan contain the folder of an extension's unit, and a fix of this folder changes only
// that unit.
func (b *builder) fixedByPath(e *Extension) bool {
	return len(b.Paths) > 0 && !slices.Contains(b.Paths, ".") && isInAny(b.Paths, e.root) && b.hasOwnFolder(e)
}

// fixedAlone returns the targets for which an extension is fixed by the folder of its unit although no path is given, because only such
// a fix is possible.
func (b *builder) fixedAlone(e *Extension, at [][]session.Judgment, targets []olm.Target) map[string]bool {
	alone := map[string]bool{}
	if e.byPath || !b.hasOwnFolder(e) {
		return alone
	}
	for i, target := range targets {
		alone[target.Name] = slices.ContainsFunc(at[i], func(f session.Judgment) bool { return f.InPaths != nil })
	}
	return alone
}

// isFixedByFolder reports whether the command that fixes an extension for a target names the folder of its unit.
func (e *Extension) isFixedByFolder(target olm.Target) bool {
	return e.byPath || e.mixed || e.alone[target.Name]
}

// hasOwnFolder reports whether a fix of the folder of an extension's unit changes only that unit: its kustomization can get a patch, and
// other units apply the file of the extension as well.
func (b *builder) hasOwnFolder(e *Extension) bool {
	if len(e.unit.Kustomizations) == 0 || !b.needsShared([]string{e.File}) {
		return false
	}
	root := e.unit.Kustomizations[0].Path
	isBuiltFromRoot := func(k *objects.Kustomization) bool { return k.Path == root }
	return !slices.ContainsFunc(b.units, func(u *objects.Unit) bool {
		return u != e.unit && slices.ContainsFunc(u.Kustomizations, isBuiltFromRoot)
	})
}

// editsApplication reports whether a fix of the field also edits an application outside of the paths.
func (b *builder) editsApplication(flags, paths []string) bool {
	if len(paths) == 0 || slices.Contains(flags, "--prune-only") {
		return false
	}
	for file, edited := range b.applierEdits {
		if isInAny(paths, file) && slices.ContainsFunc(edited, func(other string) bool { return !isInAny(paths, other) }) {
			return true
		}
	}
	return false
}

// keepApplierEdits keeps the files that fixes of an extension edit and that hold the application of its unit, such as a HelmRelease
// with a patch. They are no part of the folder of the unit.
func (b *builder) keepApplierEdits(e *Extension, found []session.Judgment) {
	for _, f := range found {
		for _, by := range e.unit.Appliers {
			if by.Object != nil && slices.Contains(f.Edited, by.Object.File) {
				b.applierEdits[e.File] = words.AddOnce(b.applierEdits[e.File], b.Rel(by.Object.File))
			}
		}
	}
}

// fixPath returns the path for a command that fixes an extension for a target: the folder of its unit, or the file.
func (e *Extension) fixPath(target olm.Target) string {
	if e.isFixedByFolder(target) {
		return e.root
	}
	return e.File
}

// readersOfFiles returns the units that apply the objects of a file, by file. Plain files have none.
func (b *builder) readersOfFiles(s *session.Survey) map[string][]*objects.Unit {
	var units []*objects.Unit
	seen := map[*objects.Unit]bool{}
	for _, e := range s.Extensions {
		for _, a := range append(slices.Clone(e.Applied), session.Applied{Unit: e.Unit}) {
			if !seen[a.Unit] {
				seen[a.Unit] = true
				units = append(units, a.Unit)
			}
		}
	}
	readers := map[string][]*objects.Unit{}
	for _, u := range charts.Deployed(units) {
		if u.Kind == objects.PlainUnit {
			continue
		}
		files := map[string]bool{}
		for _, o := range slices.Concat(u.Objects, u.AsWritten()) {
			files[b.Rel(o.File)] = true
		}
		for file := range files {
			readers[file] = append(readers[file], u)
		}
	}
	return readers
}

// isInAny reports whether a file is one of some paths or below one of them.
func isInAny(paths []string, file string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		p = path.Clean(p)
		return p == "." || p == file || strings.HasPrefix(file, p+"/")
	})
}
