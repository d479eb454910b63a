package sources

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/ignore"
)

// IgnoreRules are lines that list what Flux does not fetch: those of a .sourceignore, or spec.ignore of a GitRepository.
type IgnoreRules struct {
	ignore.List
	// File has the lines, or the field at Position.
	File     string
	Position view.Location
}

// at returns the place of a line.
func (s IgnoreRules) at(line int) string {
	if s.File != "" {
		return fmt.Sprintf("%s:%d", s.File, line)
	}
	return s.Position.Position().String()
}

// Fetched is what Flux fetches of a repository.
type Fetched struct {
	// Rules list what it does not fetch. Without any, its own count if DefaultRules is set.
	Rules        []IgnoreRules
	DefaultRules bool
	// Sparse are the folders of a sparse checkout, at the position of the field SparseAt; nil if everything is checked out.
	Sparse   []string
	SparseAt view.Location
}

// SetFetched sets what Flux fetches of the repository of the source. Without it, everything is fetched.
func (s *Source) SetFetched(f Fetched) { s.fetched = f }

// Ignored reports whether the rules of the source keep Flux from fetching a file of this repository, and returns the
// position of the rule. The files named .sourceignore count from the root down, and spec.ignore after them; the last
// matching line decides (source-controller, GitRepository). If there is no line in any of them, Flux has its own. Of a sparse checkout, only the names that begin with one of its folders are there
// (go-git, Index.SkipUnless).
func (s Source) Ignored(file string) (place string, is bool) {
	if len(s.fetched.Sparse) > 0 && !slices.ContainsFunc(s.fetched.Sparse, func(dir string) bool { return strings.HasPrefix(file, dir) }) {
		return s.fetched.SparseAt.Position().String(), true
	}
	for _, rules := range slices.Backward(s.fetched.Rules) {
		if line, ignored := rules.Decide(file); line > 0 {
			return rules.at(line), ignored
		}
	}
	if s.fetched.DefaultRules && len(s.fetched.Rules) == 0 && ignored(file, false) {
		return "Flux's default .sourceignore", true
	}
	return "", false
}

// DropIgnoredComponents drops the components that Flux does not fetch, if it goes on without them.
func (s *Source) DropIgnoredComponents() {
	if !s.Kustomize.IgnoreMissingComponents || !s.Here() {
		return
	}
	s.Kustomize.Components = slices.DeleteFunc(s.Kustomize.Components, func(component view.Field[string]) bool {
		_, is := s.Ignored(path.Join(s.Path.Value, component.Value, "kustomization.yaml"))
		return is
	})
}

// notIgnored returns the files that Flux fetches.
func (s Source) notIgnored(names []string) []string {
	if len(s.fetched.Rules)+len(s.fetched.Sparse) == 0 {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, out := s.Ignored(name); return out })
}

// IgnoreFile is the file that lists the files that Flux does not fetch.
const IgnoreFile = ".sourceignore"

var (
	// versionControl are the files and folders that Flux never fetches.
	versionControl = strings.Fields(".git .gitignore .gitmodules .gitattributes")
	// defaultIgnores are those that it does not fetch of a repository without rules (fluxcd/pkg/sourceignore).
	defaultIgnores = strings.Fields(`.github .circleci .travis.yml .gitlab-ci.yml appveyor.yml .drone.yml cloudbuild.yaml codeship-services.yml
		codeship-steps.yml .goreleaser.yml .sops.yaml .flux.yaml`)
	defaultExtensions = strings.Fields(".jpg .jpeg .gif .png .wmv .flv .tar.gz .zip")
)

func ignored(name string, hasRules bool) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(step string) bool {
		return slices.Contains(versionControl, step) || !hasRules && (slices.Contains(defaultIgnores, step) ||
			slices.ContainsFunc(defaultExtensions, func(ext string) bool { return strings.HasSuffix(step, ext) }))
	})
}
