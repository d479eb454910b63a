// Package preflightargs checks the flags of `salint preflight`, and writes them as a command line.
package preflightargs
