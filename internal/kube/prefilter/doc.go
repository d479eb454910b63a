// Package prefilter tells by the bytes of documents which of them need not be parsed, for no rule could find anything in
// them: what they refer to is in the repository, and they are written so plainly that there is no doubt about it.
package prefilter
