// Package usage answers `uses`: which places of a repository use an account, a Secret, a role, or an audience of tokens, with which pods,
// and whether it can be deleted.
package usage
