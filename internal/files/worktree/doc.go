// Package worktree reads files of the working tree, and never outside of it.
package worktree
