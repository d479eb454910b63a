// Package shell writes command lines that a user can copy into a shell.
package shell
