// Package progress shows a line on standard error that says how far a long run has come.
package progress
