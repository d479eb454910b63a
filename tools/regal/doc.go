// Package regal pins regal in a separate module, because it and the tools beside it need different versions of what they share. `make tools` builds
// it into bin/tools.
package regal
