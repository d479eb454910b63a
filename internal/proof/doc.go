// Package proof groups what shows that an edit does what its fix declared, and nothing else, before it is written.
package proof
