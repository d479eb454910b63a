package accesspolicy

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
)

// Summary says how much is limited.
func (s *Scope) Summary() string {
	return fmt.Sprintf("%s to %s and %s",
		words.Count(len(s.Subjects), "subject"), words.Count(len(s.Extensions), "extension"), words.Count(len(s.Catalogs), "catalog"))
}

// Warnings returns warnings about what the policy does not contain and what was not read.
func (s *Scope) Warnings(questions access.Scene, units []*objects.Unit, rel func(file string) string) []string {
	var warnings []string
	for _, note := range s.Notes {
		warnings = append(warnings, safetext.Text(fmt.Sprintf("%s:%d: %s", rel(note.Position.File), note.Position.Line, note.Message)))
	}
	printer := access.Printer{Rel: rel}
	for _, doubt := range questions.NotRead(units) {
		warnings = append(warnings, "the policy may be incomplete: "+printer.Doubt(doubt))
	}
	return warnings
}

// maxLeftOut is the maximum number of listed subjects that a policy does not limit.
const maxLeftOut = 10

// WarnLeftOut returns warnings about subjects that can write extensions through bindings outside the paths, and how to limit
// them.
func WarnLeftOut(writers []Writer, rel func(file string) string) (texts []string) {
	for _, w := range writers[:min(len(writers), maxLeftOut)] {
		name := w.Name
		if w.Namespace != "" {
			name = w.Namespace + "/" + name
		}
		texts = append(texts, safetext.Text(fmt.Sprintf("%s %s can write ClusterExtensions through a binding outside these paths (%s:%d), and is not limited. "+
			"If it is for the same cluster, also pass that file, or --subject %s:%s",
			w.Kind, name, rel(w.Position.File), w.Position.Line, w.Kind, name)))
	}
	if more := len(writers) - maxLeftOut; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more subjects can write ClusterExtensions through bindings outside these paths: salint lint reports them (olm/extension-write-access)", more))
	}
	return texts
}

// NotListed returns a warning if a kustomization in the folder of a file does not list it, so that the file is not applied.
func NotListed(s *workspace.Workspace, w *loader.Repository, file string) []string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return nil
	}
	name := filepath.Base(file)
	target, err := filepath.Rel(s.Repo.Root, filepath.Join(dir, name))
	if err != nil || !filepath.IsLocal(target) {
		return nil
	}
	target = filepath.ToSlash(target)
	for _, unit := range w.Units {
		for _, k := range unit.Kustomizations {
			if _, lists := k.Lists(target); !lists && k.Dir == path.Dir(target) {
				return []string{fmt.Sprintf("%s does not list %s, so it is not applied: add the line `- %s` to the resources", s.Rel(k.Path), name, name)}
			}
		}
	}
	return nil
}
