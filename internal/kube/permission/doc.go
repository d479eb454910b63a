// Package permission compares the permissions of identities before and after a change: by effect, in rules, and by role
// name if the rules of a role are unknown.
package permission
