// Package change compares the effective permissions of two states of a repository: what each identity can do in one of them and
// not in the other, and through which binding and role.
package change
