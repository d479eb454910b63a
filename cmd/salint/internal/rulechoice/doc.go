// Package rulechoice selects rules by the name or pattern that a user types.
package rulechoice
