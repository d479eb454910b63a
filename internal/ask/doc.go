// Package ask groups the questions that a user asks about a repository: who can do what (access), how extensions behave on
// each release (plan), who is granted what (graph), and manifests to start from (accesspolicy, starter). Editors ask while a user types
// (lsp).
package ask
