// Package report writes the result of a run in all formats: for people, for programs, for code scanning, for pull requests.
package report
