// Package permission says what identities may do more and less than before: by effect, in rules, and by name where the
// rules of a role are not known.
package permission
