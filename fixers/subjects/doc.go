// Package subjects holds the fixers that correct and complete the subjects of bindings, and what other fixers ask about subjects.
package subjects
