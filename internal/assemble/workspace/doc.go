// Package workspace opens the repository that a command is about, with its settings, and reads what the command line names.
package workspace
