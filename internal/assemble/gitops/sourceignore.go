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

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/ignore"
)

// readIgnores reads what a GitRepository ignores. Rules that cannot be read are recorded.
func (r *reader) readIgnores(a *Application, s *sources.Source, spec view.View) {
	if !s.Here() || !r.files.known() {
		return
	}
	found := r.files.sourceIgnores()
	own := func(rules sources.IgnoreRules) bool { return r.memberOf(rules.File) == r.memberOf(s.Path.Value) }
	fetched := sources.Fetched{Rules: kept(found.rules, own), DefaultRules: len(found.unread) == 0, SparseAt: spec.Get("sparseCheckout").At()}
	for _, reason := range found.unread {
		a.addNotChecked(s.Path.Location, "%s", reason)
	}
	for _, dir := range spec.Get("sparseCheckout").Texts() {
		if name, inside := inRepository(s.Repository.Dir, dir.Value); inside && name != path.Clean(s.Repository.Dir) {
			fetched.Sparse = append(fetched.Sparse, name)
		}
	}
	if text := spec.Get("ignore").Text(); hasRules([]byte(text.Value)) {
		fetched.Rules = append(fetched.Rules, sources.IgnoreRules{List: ignore.ParseList([]byte(text.Value), path.Clean(s.Repository.Dir)), Position: text.Location})
	}
	s.SetFetched(fetched)
}

// kept returns a new list of those rules that a function selects.
func kept(all []sources.IgnoreRules, selects func(sources.IgnoreRules) bool) []sources.IgnoreRules {
	return slices.DeleteFunc(slices.Clone(all), func(rules sources.IgnoreRules) bool { return !selects(rules) })
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
	rules  []sources.IgnoreRules
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
		name := under(dir, sources.IgnoreFile)
		data, err := f.tree.ReadAtMost(name, maxData)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			f.ignores.unread = append(f.ignores.unread, fmt.Sprintf("the files that %s ignores are unknown: %v", name, err))
		case hasRules(data):
			f.ignores.rules = append(f.ignores.rules, sources.IgnoreRules{List: ignore.ParseList(data, dir), File: name})
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
