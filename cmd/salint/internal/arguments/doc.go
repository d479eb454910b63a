// Package arguments reads command lines: which command is meant, with its flags before its arguments, and what to say about flags that are wrong.
package arguments
