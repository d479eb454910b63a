// Package terminal decides whether output can use features of an interactive terminal: colors, a progress line, and the
// width of the window.
package terminal
