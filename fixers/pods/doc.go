// Package pods holds the fixers of pods: the deprecated field serviceAccount, tokens that no program uses, and volumes with
// long-lived tokens.
package pods
