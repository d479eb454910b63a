// Package examples evaluates rules on the examples of their METADATA.
package examples
