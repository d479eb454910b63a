// Package lint reads a repository, judges it by the rules, plans and verifies fixes, and returns the outcome. It connects the other
// packages and makes no decision that one of them can make. docs/fixing-rounds.md describes the order of its steps.
package lint
