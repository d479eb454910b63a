// Package evalcontext holds the context in which rules are evaluated on an object, and answers the questions of built-in functions
// from it.
package evalcontext
