// Package commit writes files of a repository in a sequence that can be interrupted, and takes over what killed runs left.
package commit
