// Package lint holds the packages that lint a repository: reading makes a snapshot, judging evaluates the rules on it, fixing plans and
// verifies fixes, and session runs the three in rounds.
package lint
