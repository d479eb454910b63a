// Package redact says which bytes of a manifest hold the data of Secrets, so that no report, code frame or diff shows
// them.
package redact
