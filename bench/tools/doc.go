// Package tools pins the programs that salint is compared with, in a separate module. bench/run.sh builds them.
package tools
