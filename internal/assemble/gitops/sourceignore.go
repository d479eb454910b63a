package gitops

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/ignore"
)

// ignoreRules are lines that list what Flux does not fetch: those of a .sourceignore, or spec.ignore of a GitRepository.
type ignoreRules struct {
	ignore.List
	// the file, or the position of the field
	file     string
	position view.Location
}

func (s ignoreRules) at(line int) string {
	if s.file != "" {
		return fmt.Sprintf("%s:%d", s.file, line)
	}
	return s.position.Position().String()
}

// Ignored reports whether the rules of the source keep Flux from fetching a file of this repository, and returns the
// position of the rule. The files named .sourceignore count from the root down, and spec.ignore after them; the last
// matching line decides (source-controller, GitRepository). If there is no line in any of them, Flux has its own. Of a sparse checkout, only the names that begin with one of its folders are there
// (go-git, Index.SkipUnless).
func (s Source) Ignored(file string) (place string, is bool) {
	if len(s.sparse) > 0 && !slices.ContainsFunc(s.sparse, func(dir string) bool { return strings.HasPrefix(file, dir) }) {
		return s.sparseAt.Position().String(), true
	}
	for _, rules := range slices.Backward(s.rules) {
		if line, ignored := rules.Decide(file); line > 0 {
			return rules.at(line), ignored
		}
	}
	if s.defaultRules && len(s.rules) == 0 && ignored(file, false) {
		return "Flux's default .sourceignore", true
	}
	return "", false
}

// dropIgnoredComponents drops the components that Flux does not fetch, if it goes on without them.
func (s *Source) dropIgnoredComponents() {
	if !s.Kustomize.IgnoreMissingComponents || !s.Here() {
		return
	}
	s.Kustomize.Components = slices.DeleteFunc(s.Kustomize.Components, func(component view.Field[string]) bool {
		_, is := s.Ignored(path.Join(s.Path.Value, component.Value, "kustomization.yaml"))
		return is
	})
}

// readIgnores reads what a GitRepository ignores. Rules that cannot be read are recorded.
func (r *reader) readIgnores(a *Application, s *Source, spec view.View) {
	if !s.Here() || !r.files.known() {
		return
	}
	found := r.files.sourceIgnores()
	s.rules, s.defaultRules = slices.Clip(found.rules), len(found.unread) == 0
	for _, reason := range found.unread {
		a.addNotChecked(s.Path.Location, "%s", reason)
	}
	for _, dir := range spec.Get("sparseCheckout").Texts() {
		if name, inside := inRepository(dir.Value); inside && name != "." {
			s.sparse = append(s.sparse, name)
		}
	}
	s.sparseAt = spec.Get("sparseCheckout").At()
	if text := spec.Get("ignore").Text(); hasRules([]byte(text.Value)) {
		s.rules = append(s.rules, ignoreRules{List: ignore.ParseList([]byte(text.Value), "."), position: text.Location})
	}
}

// hasRules reports whether a text has a line that Flux takes for a rule (ReadPatterns of fluxcd/pkg/sourceignore).
func hasRules(data []byte) bool {
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(line, []byte("#")) && len(bytes.TrimSpace(line)) > 0 {
			return true
		}
	}
	return false
}

// sourceIgnores are the rules of all files named .sourceignore, outer folders first, and why some of these files could not be read.
type sourceIgnores struct {
	rules  []ignoreRules
	unread []string
}

// sourceIgnores reads the rules of all folders, once, because a chart and a kustomization read other folders. The files are no manifests, and so not among
// the names.
func (f *files) sourceIgnores() *sourceIgnores {
	if f.ignores != nil {
		return f.ignores
	}
	f.ignores = &sourceIgnores{}
	dirs := append(slices.Collect(f.Folders()), ".")
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Or(cmp.Compare(depth(a), depth(b)), strings.Compare(a, b)) })
	for _, dir := range slices.Compact(dirs) {
		name := under(dir, sourceIgnore)
		data, err := f.tree.ReadAtMost(name, maxData)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			f.ignores.unread = append(f.ignores.unread, fmt.Sprintf("the files that %s ignores are unknown: %v", name, err))
		case hasRules(data):
			f.ignores.rules = append(f.ignores.rules, ignoreRules{List: ignore.ParseList(data, dir), file: name})
		}
	}
	return f.ignores
}

func depth(dir string) int {
	if dir == "." {
		return 0
	}
	return 1 + strings.Count(dir, "/")
}

// notIgnored returns the files that Flux fetches.
func (s Source) notIgnored(names []string) []string {
	if len(s.rules)+len(s.sparse) == 0 {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, out := s.Ignored(name); return out })
}
