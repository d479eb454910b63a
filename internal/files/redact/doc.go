// Package redact finds the bytes of a manifest that hold data of Secrets, so that no report, code frame or diff shows them.
package redact
