// Package source parses the templates of a chart without rendering them: the extents of text and actions, blocks, variables
// and their scopes, and the values that they use.
//
// It has its own scanner, because the nodes of text/template/parse have a start and no end. The result is compared with the
// parser's text nodes, so that a file is either parsed exactly or rejected.
package source
