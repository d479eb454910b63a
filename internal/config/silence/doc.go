// Package silence removes the findings that a user has silenced with a comment, an annotation or a baseline, and reports
// ignores that have no effect.
package silence
