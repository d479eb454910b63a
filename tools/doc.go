// Package tools pins the programs that check this project, in a module of its own: none of what they need becomes a
// dependency of salint. `make tools` builds them into bin/tools.
package tools
