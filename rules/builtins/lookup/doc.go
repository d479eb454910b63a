// Package lookup holds the built-in functions that find objects and the places that name them.
package lookup
