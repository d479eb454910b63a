// Package commandline writes the command lines that a plan names.
package commandline
