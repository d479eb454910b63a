// Package source reads the templates of a chart as they are written, without rendering them: where text and actions stand,
// what encloses what, which variables are known where, and which values are mentioned.
//
// Where an action begins and ends is found by a scanner of its own, for the nodes of text/template/parse have a start and
// no end; what it found is held against the parser's text nodes, so that a file is understood exactly or not at all.
package source
