// Package prefilter decides from the bytes of documents which of them need not be parsed, because no rule can find anything
// in them: their references exist in the repository, and they are written plainly enough to be certain.
package prefilter
