// Package answer prints the difference of two versions of an operator: for a person, for a pipeline, or as a comment on a
// pull request.
package answer
