// Package subjects holds the fixers that correct and complete the subjects of bindings, and what other fixers need to know
// about subjects.
package subjects
