package states

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/ask/change/policies"
	"github.com/salint/salint/internal/ask/change/unread"
	"github.com/salint/salint/internal/assemble/coverage"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/objects"
)

// Compare reads both states and compares them.
func (s *States) Compare(ctx context.Context) (*change.Report, error) {
	now := selectedTree{loader.FromRepo(s.Now.Repo), s.paths.selects}
	then := loader.FromRevision(s.revision, s.Now.Repo, s.paths.selects)
	// Both states are read with the kinds of both configurations: a change can remove one from .salint.yaml.
	podSpecs := slices.Concat(loader.PodSpecs(s.Now.Config), loader.PodSpecs(s.Then.Config))
	kinds := loader.Kinds(loader.RBAC(), loader.Installers(), policies.Kinds(), change.ObjectKinds(podSpecs...))
	for _, tree := range []loader.Tree{now, then} {
		found, err := policies.FurtherKinds(ctx, tree, kinds)
		if err != nil {
			return nil, err
		}
		kinds = loader.Kinds(kinds, found)
	}
	after, err := s.Now.ReadTree(ctx, now, kinds)
	if err != nil {
		return nil, err
	}
	before, err := s.Then.ReadTree(ctx, then, kinds)
	if err != nil {
		return nil, err
	}
	if err := s.checkSubmodules(after); err != nil {
		return nil, err
	}
	if err := s.checkStaged(ctx); err != nil {
		return nil, err
	}
	r := change.Compare(
		change.Side{State: unread.State{
			Repository: before, Selected: then.Selected, Submodules: s.submodules(then, s.revision.Submodules.Then), Text: then.Text,
		}},
		change.Side{PodSpecs: podSpecs, State: unread.State{
			Repository: after, Selected: now.Selected, Text: now.Text, NotRead: s.notRead, Submodules: s.submodules(now, s.revision.Submodules.Now),
		}})
	r.Revision, r.Commit = s.name, s.revision.Commit
	if s.Now.Repo.IsWorkspace() {
		r.Commits = s.revision.Commits()
	}
	if err := s.markChanged(ctx, r, read{then, before}, read{now, after}, kinds); err != nil {
		return nil, err
	}
	checkedOut, clean, err := s.revision.IsCheckedOut(ctx)
	r.CheckedOut = checkedOut
	r.Nothing = checkedOut && clean && len(s.revision.Submodules.Changed)+len(s.notRead) == 0 && !r.Differs()
	return r, err
}

// read is a state that was read.
type read struct {
	loader.Tree
	*loader.Repository
}

// gapOf returns why a state does not show what a unit makes of a file. A file that nothing applies, as far as is known, has no gap.
func (r read) gapOf(gaps *coverage.Gaps, file string) (gap coverage.Gap, is bool) {
	gap, is = gaps.Of(r.Units, file)
	return gap, is && !gap.Unapplied
}

// unparsable returns the gap of a manifest that is not valid YAML and shows no kind. A unit that reads such a file, as a chart does with values, reports
// what is wrong with it, but not of one that it lists as a resource.
func (r read) unparsable(file string) (gap coverage.Gap, is bool) {
	isInput := func(u *objects.Unit) bool { return u.Reads(file) && !lists(u, file) }
	if !repo.IsManifest(file) || !slices.Contains(r.Collection.Names, file) || slices.ContainsFunc(r.Units, isInput) {
		return gap, false
	}
	text, err := r.Text(file)
	if err != nil {
		return gap, false
	}
	return coverage.Unparsable(manifest.Scan(file, text))
}

func lists(u *objects.Unit, file string) bool {
	return slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool {
		_, listed := k.Lists(file)
		return listed
	})
}

// hasProblem reports whether a unit of the state has a problem at a place.
func (r read) hasProblem(at objects.Position) bool {
	return slices.ContainsFunc(r.Units, func(u *objects.Unit) bool {
		return slices.ContainsFunc(u.Problems, func(p objects.Problem) bool { return p.Position.File == at.File && p.Position.Line == at.Line })
	})
}

func (r read) gaps(concerns func([]byte) bool) *coverage.Gaps {
	return &coverage.Gaps{Files: r.Files(), Text: r.Text, MayConcern: concerns}
}

// markChanged marks what neither state shows and is changed: files that a unit reads which could not be built or rendered, and a
// kustomization with a remote chart. It notes what of the change is read and not compared.
func (s *States) markChanged(ctx context.Context, r *change.Report, before, after read, kinds map[string][]string) error {
	changed, err := s.revision.Changed(ctx)
	if err != nil {
		return err
	}
	concerns := wordfilter.New(kinds).MatchesText
	now, then := after.gaps(concerns), before.gaps(concerns)
	content, links := newContents(before, after, changed, kinds), after.Links()
	for _, file := range slices.Sorted(maps.Keys(changed)) {
		if !s.paths.selects(file) {
			continue
		}
		gap, is := after.gapOf(now, file)
		text, err := after.Text(file)
		if err == nil {
			if content.tests[file] {
				if slices.Contains(after.Tests, file) {
					r.AddUncompared(change.InTests, file)
				}
				continue
			}
			content.add(r, file, text)
			if links[file] == "" { // the text of a link is in another file
				addUncompared(r, file, text, kinds)
				content.addBindings(r, file, text)
			}
			if gap, is := after.unparsable(file); is {
				_, was := before.unparsable(file)
				r.NotRead.MarkUnparsable(gap, was)
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			gap, is = before.gapOf(then, file)
			is = is && after.hasProblem(gap.Cause)
		}
		if is && !((err == nil || errors.Is(err, fs.ErrNotExist)) && content.decidesNothing(file, text)) {
			r.NotRead.MarkEdited(file, gap)
		}
		earlier, _ := before.Text(file) // a new file has no earlier text
		if now.OffByDefault(after.Units, file) || now.Unrendered(after.Units, file, earlier) {
			r.AddUncompared(change.OffByDefault, file)
		}
	}
	r.AddSince(changed, after.Units)
	content.addLinks(r, s.paths.selects)
	content.addTemplates(r, s.paths.selects)
	content.addFetched(r, s.paths.selects)
	content.addEnforced(r, s.paths.selects)
	content.addAllowed(r, s.paths.selects)
	r.NotRead.Sort()
	return nil
}

// checkStaged records which manifests are staged with contents that are not in the working tree, so that they are not compared.
func (s *States) checkStaged(ctx context.Context) error {
	files, err := s.Now.Repo.StagedDifferently(ctx)
	if err != nil {
		return err
	}
	for _, file := range files {
		if repo.IsManifest(file) && s.paths.selects(file) {
			s.notRead = append(s.notRead, file+" is staged with other contents than in the working tree, which is compared; stage or unstage all of it")
		}
	}
	return nil
}

// checkSubmodules refuses objects in a submodule that was changed, which cannot be compared: its earlier files are in another repository.
func (s *States) checkSubmodules(after *loader.Repository) error {
	for _, dir := range s.revision.Submodules.Changed {
		for _, o := range after.Objects {
			if strings.HasPrefix(o.File, dir+"/") {
				return fmt.Errorf("the submodule %s has another commit checked out than at %s, and its earlier manifests are not in this repository: "+
					"compare in the submodule, or check out the earlier commit in it", dir, s.name)
			}
		}
	}
	return nil
}

// submodules returns those of a state that are not checked out. Commits are those of the state.
func (s *States) submodules(tree loader.Tree, commits map[string]string) (all []unread.Submodule) {
	settings, _ := tree.Text(".gitmodules")
	for _, dir := range s.revision.Submodules.Unread {
		if commit, is := commits[dir]; is {
			all = append(all, unread.Submodule{Dir: dir, Address: git.AddressOfSubmodule(settings, dir), Commit: commit, Message: workspace.NotCheckedOut(dir)})
		}
	}
	return all
}

// selectedTree is a tree of which other paths are selected.
type selectedTree struct {
	loader.Tree

	selects func(file string) bool
}

func (t selectedTree) Selected(file string) bool { return t.selects(file) }
