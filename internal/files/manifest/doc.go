// Package manifest turns the bytes of a manifest file into documents whose every node knows its exact bytes, and edits
// back into bytes, so that whatever is not the edit stays the same.
package manifest
