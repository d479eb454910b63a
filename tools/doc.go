// Package tools pins the programs that check this project, in a separate module: none of what they need becomes a
// dependency of salint. `make tools` builds them into bin/tools.
package tools
