package overlay

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/plugins"
	"github.com/salint/salint/internal/render"
)

// withLeftOut adds to a built unit what it was built without. The objects of a base that cannot be built are added as they are in
// their files, so that they are checked as far as possible.
func (b *builder) withLeftOut(u *objects.Unit, built *buildOutput, edit *Edit) *objects.Unit {
	if len(built.left)+len(built.notes) == 0 {
		return u
	}
	u = u.For(u.Appliers, u.Problems...)
	for _, note := range built.notes {
		u.Problems = append(u.Problems, problemAt(u.Kustomizations[0], note))
	}
	for _, left := range built.left {
		position := objects.Position{File: left.File, Line: left.Line, Column: left.Column}
		problem := edit.relocate(objects.Problem{Position: position, Message: firstLines(left.Reason)})
		if b.modeled(u, left) {
			continue
		}
		if !knows(u, problem) {
			u.Problems = append(u.Problems, problem)
		}
		files := readBy(u, left.Target)
		u.LeftOut = append(u.LeftOut[:len(u.LeftOut):len(u.LeftOut)], objects.LeftOut{
			Position: problem.Position, Reason: problem.Message, Files: files, Missing: addsObjects[left.Field],
		})
		u.Objects = append(u.Objects, unbuiltObjects(u, files)...)
	}
	slices.SortStableFunc(u.Objects, objects.Compare)
	return u
}

// addsObjects are the fields whose entries add objects.
var addsObjects = map[string]bool{
	"resources": true, "bases": true, "generators": true, "helmCharts": true, "helmChartInflationGenerator": true,
}

// knows reports whether a unit has a problem at the position, or above it for a list: the assembly of units has found it.
func knows(u *objects.Unit, p objects.Problem) bool {
	return slices.ContainsFunc(u.Problems, func(known objects.Problem) bool { return known.Position == p.Position }) ||
		slices.ContainsFunc(u.Remotes, func(e objects.Entry) bool { return e.Position == p.Position })
}

// modeled reports whether nothing of an entry that is left out is unknown: it is a separate unit, or adds only Secrets.
func (b *builder) modeled(u *objects.Unit, left render.LeftOut) bool {
	if left.Field != "generators" {
		return false
	}
	for _, k := range u.Kustomizations {
		if k.Path != left.File {
			continue
		}
		for _, p := range plugins.Of(k, b.files.ReadFile) {
			if p.Position.Line == left.Line && p.Position.Column == left.Column {
				return p.Err == nil && !slices.ContainsFunc(p.Configs, func(c plugins.Config) bool {
					return !c.IsPolicyGenerator() && !c.AddsOnlySecrets(b.files.ReadFile, k.Dir)
				})
			}
		}
	}
	return false
}

// readBy returns the files and folders that an entry for a target reads: the target, and for a kustomization everything that it
// reaches.
func readBy(u *objects.Unit, target string) []string {
	if target == "" {
		return nil
	}
	byDir := map[string]*objects.Kustomization{}
	for _, k := range u.Kustomizations {
		byDir[k.Dir] = k
	}
	seen := map[string]bool{}
	var files []string
	var visit func(string)
	visit = func(name string) {
		if seen[name] || name == "." || strings.HasPrefix(name, "../") {
			return
		}
		seen[name] = true
		k := byDir[name]
		if k == nil {
			files = append(files, name)
			return
		}
		files = append(files, k.Path)
		for _, entry := range k.Resources {
			visit(entry.Target)
		}
		for _, input := range k.NonObjectInputs {
			visit(input.File)
		}
	}
	visit(target)
	return files
}

// unbuiltObjects returns the objects of files that the build has not made.
func unbuiltObjects(u *objects.Unit, files []string) []*objects.Object {
	made := map[*objects.Object]bool{}
	for _, o := range u.Objects {
		made[o.Source()] = true
	}
	var left []*objects.Object
	for _, o := range u.Sources {
		if slices.Contains(files, o.File) && !made[o] {
			left = append(left, o)
		}
	}
	return left
}

// entryAt returns the path of the entry for a chart at a line; nil if there is none.
func entryAt(k *objects.Kustomization, line int) manifest.Path {
	for _, field := range []string{"helmCharts", "generators"} {
		list := k.Doc.Root.Get(field)
		for i := 0; list.IsSequence() && i < len(list.Items()); i++ {
			if at, _ := k.Doc.File.Position(list.Items()[i].Span().Start); at == line {
				return manifest.Path{field, itoa(i)}
			}
		}
	}
	return nil
}
