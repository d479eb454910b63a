// Package docs keeps the documentation true: links lead somewhere, and the architecture is the one of the code.
package docs
