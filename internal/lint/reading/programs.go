package reading

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
)

// inspectProgram takes note of a file of Jsonnet that may make an object that rules judge. Argo CD evaluates it if an application applies
// its folder. Several goroutines call it.
func (d *decider) inspectProgram(file repo.File) {
	if ext := path.Ext(file.Path); (ext == ".jsonnet" || ext == ".libsonnet") && d.judgedKinds.MatchesText(file.Data) {
		d.programs.Store(true)
	}
}

// appliesPrograms reports whether a file may have an application of Argo CD.
func appliesPrograms(file keptFile) bool {
	return slices.ContainsFunc(file.Docs, func(doc *manifest.Document) bool {
		return doc.Kind() == "" || doc.Kind() == "Application" || doc.Kind() == "ApplicationSet" || manifest.IsContainer(doc.Kind())
	})
}
