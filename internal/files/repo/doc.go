// Package repo lists and reads the files of a repository, and of its revisions. Package git asks git, and package commit writes.
package repo
