// Package commands reads which programs a script, build file, or pipeline runs, with their arguments and the folders in which they run.
// Variables that the same text sets are filled in; nothing is executed.
package commands
