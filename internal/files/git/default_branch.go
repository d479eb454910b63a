package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// errNoDefaultBranch is the error of DefaultBranch if no branch has one of the usual names.
var errNoDefaultBranch = errors.New("no default branch found (origin/HEAD, main, or master): pass a revision, such as HEAD~1")

// DefaultBranch returns the branch that changes are made for: that of the remote origin, otherwise main or master. The error
// is a *ShallowError if a shallow clone has none of them.
func (r *Repository) DefaultBranch(ctx context.Context) (string, error) {
	head, err := r.query(ctx, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
	if err != nil {
		return "", err
	}
	for _, name := range []string{head, "origin/main", "origin/master", "main", "master"} {
		if known, err := r.HasRevision(ctx, name); known || err != nil {
			return name, err
		}
	}
	return "", r.shallowError(ctx, "the default branch", errNoDefaultBranch)
}

// HasRevision reports whether git knows a revision of a commit.
func (r *Repository) HasRevision(ctx context.Context, rev string) (bool, error) {
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\x00\n") {
		return false, nil
	}
	commit, err := r.commit(ctx, rev)
	return commit != "", err
}

// UnmergedError reports files with conflicts of a merge.
type UnmergedError struct{ Files []string }

func (e *UnmergedError) Error() string {
	more := ""
	if n := len(e.Files) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("the index has unresolved conflicts in %s%s: finish or abort the merge first", e.Files[0], more)
}

// CheckMerged returns an *UnmergedError if a merge left conflicts, so that files have both sides in them.
func (r *Repository) CheckMerged(ctx context.Context) error {
	out, err := r.git(ctx, "ls-files", "-z", "--unmerged")
	if err != nil {
		return err
	}
	var files []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if _, name, ok := strings.Cut(entry, "\t"); ok && (len(files) == 0 || files[len(files)-1] != name) {
			files = append(files, name)
		}
	}
	if len(files) > 0 {
		return &UnmergedError{files}
	}
	return nil
}
