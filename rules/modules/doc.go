// Package modules selects, parses, and compiles the policies that a run needs.
package modules
