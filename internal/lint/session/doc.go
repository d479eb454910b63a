// Package session reads a repository, judges it by the rules, and plans and verifies fixes, in as many rounds as these need. It connects
// reading, judging and fixing, and makes no decision that one of them can make. docs/fixing-rounds.md describes the order of its steps.
package session
