// Package pathset answers which files and folders a repository has, from the list of its files.
package pathset
