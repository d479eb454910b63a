// Package conditions holds the conditions that METADATA names under `evaluate_if`: without one of them, a rule is not evaluated on an
// object.
package conditions
