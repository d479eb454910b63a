// Package terminal decides what an output may be given that only a person at a terminal can use: colours, a progress
// line, lines of a certain width.
package terminal
