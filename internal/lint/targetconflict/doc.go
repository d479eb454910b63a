// Package targetconflict finds where the target of the command line contradicts the one that the settings of a repository require, and
// changes the settings.
package targetconflict
