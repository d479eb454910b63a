// Package completion returns the words that could follow in a command line, and the scripts with which shells request them.
package completion
