// Package protocol defines the messages between salint and the child process that renders: JSON values on the child's
// standard input and output.
//
// The parent sends a [Request]. Before the child returns a [Result], it can request files with a [Query]; the parent
// returns an [Answer] to each. Then the next request can follow. The child ends when its input does.
package protocol
