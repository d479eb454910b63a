// Package index holds what is known of the built-in rules without parsing policies, and derives it from their METADATA.
package index
