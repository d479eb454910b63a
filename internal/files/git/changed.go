package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// RevisionError reports a revision that git does not know.
type RevisionError struct{ Revision string }

// errNoRevision is the error about an empty text, which an unset variable of a script leaves.
var errNoRevision = errors.New("the revision is empty: name a branch, a tag, or a commit")

func (e *RevisionError) Error() string {
	return fmt.Sprintf("git does not know the revision %q: name a branch, a tag, or a commit of this clone", e.Revision)
}

// ShallowError reports a clone without the history that a comparison with a revision needs.
type ShallowError struct{ Revision string }

func (e *ShallowError) Error() string {
	return fmt.Sprintf("this clone is shallow and lacks the history needed to compare with %q: "+
		"set `fetch-depth: 0` for actions/checkout, or run `git fetch --unshallow`", e.Revision)
}

// Changed returns the files that differ from a revision: changed in commits, in the index, or in the work tree, renamed
// (under the new name), untracked and not ignored, or in a submodule with
// another commit. Deleted files are not included. If the revision has new commits since
// the current branch left it, the comparison is with the commit at which the branch left, as in a pull request. The error
// is a *RevisionError, a *ShallowError, or an error of git.
func (r *Repository) Changed(ctx context.Context, rev string) (map[string]bool, error) {
	base, err := r.Base(ctx, rev)
	if err != nil {
		return nil, err
	}
	if info, err := fs.Stat(r.files, ".gitignore"); err == nil && !info.Mode().IsRegular() { // git would wait for the writer of a pipe
		return nil, errors.New(".gitignore is not a regular file, so git cannot list the files that it ignores")
	}
	changed := map[string]bool{}
	// Submodules are skipped: git would run there under the submodule's configuration.
	if err := r.disableFilters(ctx); err != nil {
		return nil, err
	}
	err = r.collect(ctx, changed, "diff", "--name-only", "-z", "--no-renames", "--diff-filter=d", "--no-ext-diff",
		"--no-textconv", "--no-relative", "--ignore-submodules=dirty", base, "--")
	if err != nil {
		return nil, err
	}
	if err := r.collect(ctx, changed, "ls-files", "-z", "--others", "--exclude-standard", "--"); err != nil {
		return nil, err
	}
	return changed, r.addSubmodules(ctx, changed)
}

// addSubmodules adds the files of the submodules that changed: git lists only their folders. Which of the files differ is not known.
func (r *Repository) addSubmodules(ctx context.Context, changed map[string]bool) error {
	modules, err := r.submodulesOfIndex(ctx)
	if err != nil {
		return err
	}
	for dir := range modules {
		if !changed[dir] {
			continue
		}
		err := fs.WalkDir(r.files, dir, func(name string, entry fs.DirEntry, err error) error {
			if entry != nil && entry.Type().IsRegular() && entry.Name() != ".git" {
				changed[name] = true
			}
			return errors.Join(ctx.Err(), notMissing(err))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func notMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Deleted returns the files of the commit that Changed compares with which no longer exist. The error is that of Changed.
func (r *Repository) Deleted(ctx context.Context, rev string) (map[string]bool, error) {
	base, err := r.Base(ctx, rev)
	if err != nil {
		return nil, err
	}
	if err := r.disableFilters(ctx); err != nil {
		return nil, err
	}
	deleted := map[string]bool{}
	err = r.collect(ctx, deleted, "diff", "--name-only", "-z", "--no-renames", "--diff-filter=D", "--no-ext-diff",
		"--no-textconv", "--no-relative", "--ignore-submodules=dirty", base, "--")
	return deleted, err
}

// collect adds the paths that git lists, each ended by a NUL. A path that ends in a slash is a separate repository.
func (r *Repository) collect(ctx context.Context, into map[string]bool, args ...string) error {
	out, err := r.git(ctx, args...)
	if err != nil {
		return err
	}
	for p := range strings.SplitSeq(string(out), "\x00") {
		if p != "" && !strings.HasSuffix(p, "/") {
			into[p] = true
		}
	}
	return nil
}

// Base returns the commit to compare with: the one at which the current branch left the revision.
func (r *Repository) Base(ctx context.Context, rev string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if base, ok := r.bases[rev]; ok {
		return base, nil
	}
	base, err := r.findBase(ctx, rev)
	if err == nil {
		r.bases[rev] = base
	}
	return base, err
}

func (r *Repository) findBase(ctx context.Context, rev string) (string, error) {
	// git would take it for an option
	if rev == "" {
		return "", errNoRevision
	}
	if strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\x00\n") {
		return "", &RevisionError{rev}
	}
	commit, err := r.commit(ctx, rev)
	if err != nil {
		return "", err
	}
	if commit == "" {
		if from, is := r.rangeStart(ctx, rev); is {
			return "", &RangeError{rev, from}
		}
		return "", r.shallowError(ctx, rev, &RevisionError{rev})
	}
	head, err := r.query(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil || head == "" {
		return commit, err // no commit yet on this branch
	}
	common, err := r.query(ctx, "merge-base", commit, head)
	if err != nil || common != "" {
		return common, err
	}
	if err := r.shallowError(ctx, rev, nil); err != nil {
		return "", err
	}
	return commit, nil // the histories have no commit in common
}

// commit returns the commit of a revision, "" if git does not know it. Of a branch and a tag of one name, git takes the tag, which anyone with
// the permission to push tags can set to compare with another commit: here the branch counts. In the same way, origin/main is the branch of the remote and not
// a local branch of that name.
func (r *Repository) commit(ctx context.Context, rev string) (string, error) {
	names := []string{rev}
	if strings.Contains(rev, "/") {
		names = []string{"refs/remotes/" + rev, rev}
	}
	if tag, err := r.query(ctx, "rev-parse", "--verify", "--quiet", "refs/tags/"+rev+"^{commit}"); err != nil {
		return "", err
	} else if tag != "" {
		names = append(names[:len(names)-1], "refs/heads/"+rev, "refs/remotes/"+rev, rev)
	}
	for _, name := range names {
		if commit, err := r.query(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}"); commit != "" || err != nil {
			return commit, err
		}
	}
	return "", nil
}

// query runs a git command that reports "no" with exit code 1 and no output.
func (r *Repository) query(ctx context.Context, args ...string) (string, error) {
	out, err := r.git(ctx, args...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// shallowError returns a *ShallowError if the clone is shallow, otherwise the given error.
func (r *Repository) shallowError(ctx context.Context, rev string, otherwise error) error {
	shallow, err := r.query(ctx, "rev-parse", "--is-shallow-repository")
	if err == nil && shallow == "true" {
		return &ShallowError{rev}
	}
	return otherwise
}

// revisionName matches names of branches, tags, and commits without operators.
var revisionName = lazyregexp.New(`^\w[\w./-]*$`)

// IsHead reports whether a branch, a tag, or a commit is the commit that is checked out. The name need not be one that a user chose.
func (r *Repository) IsHead(ctx context.Context, name string) bool {
	if !revisionName().MatchString(name) {
		return false
	}
	r.mu.Lock()
	is, known := r.heads[name]
	r.mu.Unlock()
	if known {
		return is
	}
	commit, err := r.commit(ctx, name)
	is = err == nil && commit != "" && commit == r.Head()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heads[name] = is
	return is
}

// IsCheckedOut reports whether a commit is the one that is checked out, and clean whether nothing differs from it: no tracked file is
// changed or removed, and no file is neither tracked nor ignored. What is changed inside a submodule is not known.
func (r *Repository) IsCheckedOut(ctx context.Context, commit string) (is, clean bool, err error) {
	head, err := r.query(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil || head != commit {
		return false, false, err
	}
	changed, err := r.Changed(ctx, commit)
	if err != nil {
		return true, false, err
	}
	deleted, err := r.Deleted(ctx, commit)
	return true, len(changed)+len(deleted) == 0, err
}

// StagedDifferently returns the files whose staged contents are neither those of the checked-out commit nor those in the working tree, in
// order: a commit would have contents that are not in the working tree.
func (r *Repository) StagedDifferently(ctx context.Context) ([]string, error) {
	if err := r.disableFilters(ctx); err != nil {
		return nil, err
	}
	names := []string{"diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=all"}
	changed, staged := map[string]bool{}, map[string]bool{}
	if err := r.collect(ctx, changed, append(names, "--")...); err != nil || len(changed) == 0 {
		return nil, err
	}
	if err := r.collect(ctx, staged, append(names, "--cached", "--")...); err != nil {
		return nil, err
	}
	maps.DeleteFunc(changed, func(file string, _ bool) bool { return !staged[file] })
	return slices.Sorted(maps.Keys(changed)), nil
}

// RangeError reports a range of commits where one revision is expected.
type RangeError struct{ Range, From string }

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s is a range of commits, and the working tree is compared with one revision: write %q", e.Range, e.From)
}

// rangeStart returns the revision at which a range of commits such as main..HEAD starts; ok is false for anything else.
func (r *Repository) rangeStart(ctx context.Context, text string) (from string, ok bool) {
	from, _, isRange := strings.Cut(text, "..")
	if !isRange {
		return "", false
	}
	known, err := r.HasRevision(ctx, from)
	return from, known && err == nil
}
