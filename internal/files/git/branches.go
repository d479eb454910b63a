package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// targetVariables are the variables in which pipelines have the branch that a change is merged into, and sourceVariables those with the
// branch of the change.
var (
	targetVariables = []string{
		"GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "SYSTEM_PULLREQUEST_TARGETBRANCH", "BITBUCKET_PR_DESTINATION_BRANCH", "CHANGE_TARGET",
	}
	sourceVariables = []string{"GITHUB_HEAD_REF", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "SYSTEM_PULLREQUEST_SOURCEBRANCH", "BITBUCKET_BRANCH", "CHANGE_BRANCH"}
)

// Branches returns the branches whose files count as those of the work tree: the one that is checked out, the default branch (main and master if
// that of the remote is unknown), and the one that a pipeline merges into. It returns nil if no branch is checked out and no pipeline sets
// one. Nothing is read but files of git.
func (r *Repository) Branches() []string {
	dir, ok := r.gitDir()
	if !ok {
		return nil
	}
	var found []string
	current, onBranch := strings.CutPrefix(headOf(filepath.Join(dir, "HEAD")), "refs/heads/")
	if onBranch {
		found = append(found, current)
	}
	for _, name := range slices.Concat(targetVariables, sourceVariables) {
		if branch := strings.TrimPrefix(os.Getenv(name), "refs/heads/"); branch != "" {
			found = append(found, branch)
		}
	}
	if len(found) == 0 {
		return nil
	}
	remote := headOf(filepath.Join(commonGitDir(dir), "refs", "remotes", "origin", "HEAD"))
	if branch, is := strings.CutPrefix(remote, "refs/remotes/origin/"); is {
		return append(found, branch)
	}
	return append(found, "main", "master")
}

// headOf returns the name to which a file of git refers; "" if it has a commit, or cannot be read.
func headOf(file string) string {
	name, _ := strings.CutPrefix(strings.TrimSpace(string(readSmall(file, maxLinkSize))), "ref: ")
	return name
}
