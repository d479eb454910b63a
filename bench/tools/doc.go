// Package tools pins the programs that salint is timed beside, in a module of its own. bench/run.sh builds them.
package tools
