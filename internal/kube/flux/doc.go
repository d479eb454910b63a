// Package flux reads which objects decide what Flux applies, and as which account it applies it.
package flux
