// Package lsp serves the Language Server Protocol: it lints the open files of an editor as they are being edited, with the rest of
// their repository as context, and offers the fixes. It writes no files; the editor applies the edits.
package lsp
