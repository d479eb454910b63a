// Package manifest parses manifest files into documents whose nodes know their exact bytes, and turns edits back into
// bytes. Bytes outside an edit do not change.
package manifest
