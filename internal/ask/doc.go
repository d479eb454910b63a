// Package ask groups the questions that a user asks about a repository: who can do what (access) and how one can become an
// administrator (escalation), what a change allows (change, states), how extensions behave on each release (plan), who is
// granted what (graph; views shows it in reports), and manifests to start from (accesspolicy, starter). Editors ask while a
// user types (lsp).
package ask
