// Package silence takes out the findings that a user has silenced, by a comment, an annotation or a baseline, and says
// which of these no longer do anything.
package silence
