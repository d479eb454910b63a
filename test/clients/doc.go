// Package clients runs the programs with which users run salint: GitHub's workflows (with act, actionlint, and
// action-validator) and commit hooks (with pre-commit). A test whose program is not installed is skipped with a message.
package clients
