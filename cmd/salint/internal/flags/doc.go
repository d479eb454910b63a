// Package flags declares the flags of commands: their names, defaults, and help.
package flags
