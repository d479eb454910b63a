// Package files groups the packages that handle files and bytes without interpreting objects: which files a repository has
// (repo, git, ignore), how they are written back (commit, worktree), documents whose nodes know their byte positions, and edits (manifest), and path
// patterns (glob).
package files
