// Package report prints the result of a run: for people, for programs, for code scanning, for a pull request.
package report
