// Package wire is the language between salint and the child process that renders for it: JSON values on the child's
// standard input and output.
//
// The parent sends a [Request]. Until the child answers with a [Result] it may ask for files by [Query], each of which the
// parent answers with an [Answer]. Then the next request may follow. The child ends when its input does.
package wire
