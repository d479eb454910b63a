// Package clients runs the real programs through which users meet salint: GitHub's workflows (by act, actionlint and
// action-validator) and commit hooks (by pre-commit). A test whose program is not installed is skipped, and says so.
package clients
