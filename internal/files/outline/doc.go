// Package outline reads the bytes of a document without parsing them: its kind and version, and the scalars of documents that are
// written plainly.
package outline
