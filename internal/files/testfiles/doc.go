// Package testfiles knows by their paths which files of a repository are data of tests, such as snapshots and expected results. No
// deployment applies them, unless something in the repository does.
package testfiles
