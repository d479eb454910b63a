package gitops

import (
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
// matching line decides (source-controller, GitRepository). Of a sparse checkout, only the names that begin with one of its folders are there
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
	for _, dir := range r.files.foldersAround(s.Path.Value) {
		name := under(dir, sourceIgnore)
		data, err := r.files.readIgnore(name)
		switch {
		case err != nil:
			a.addNotChecked(s.Path.Location, "the files that %s ignores are unknown: %v", name, err)
		case len(data) > 0:
			s.rules = append(s.rules, ignoreRules{List: ignore.ParseList(data, dir), file: name})
		}
	}
	for _, dir := range spec.Get("sparseCheckout").Texts() {
		if name, inside := inRepository(dir.Value); inside && name != "." {
			s.sparse = append(s.sparse, name)
		}
	}
	s.sparseAt = spec.Get("sparseCheckout").At()
	if text := spec.Get("ignore").Text(); text.Value != "" {
		s.rules = append(s.rules, ignoreRules{List: ignore.ParseList([]byte(text.Value), "."), position: text.Location})
	}
}

// foldersAround returns the folders that contain a folder, the folder itself, and those in it, outer ones first.
func (f *files) foldersAround(dir string) []string {
	var found []string
	for name := range f.Folders() {
		_, inside := below(dir, name)
		_, outside := below(name, dir)
		if inside || outside || name == dir || name == "." {
			found = append(found, name)
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(depth(a), depth(b)), strings.Compare(a, b))
	})
	return found
}

func depth(dir string) int {
	if dir == "." {
		return 0
	}
	return 1 + strings.Count(dir, "/")
}

// readIgnore reads a file of ignore rules, once; nil if there is none. The file is no manifest, and so not among the names.
func (f *files) readIgnore(name string) ([]byte, error) {
	known, is := f.ignores[name]
	if !is {
		known.data, known.err = f.tree.ReadAtMost(name, maxData)
		if errors.Is(known.err, fs.ErrNotExist) {
			known.err = nil
		}
		f.ignores[name] = known
	}
	return known.data, known.err
}

// fileResult is the result of reading a file.
type fileResult struct {
	data []byte
	err  error
}

// notIgnored returns the files that Flux fetches.
func (s Source) notIgnored(names []string) []string {
	if len(s.rules)+len(s.sparse) == 0 {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, out := s.Ignored(name); return out })
}
