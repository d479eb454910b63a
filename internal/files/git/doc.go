// Package git asks git what it knows of a repository: changes, contents, revisions, the origin.
package git
