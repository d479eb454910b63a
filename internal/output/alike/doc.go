// Package alike finds messages that differ only in the names in them, and joins paths that differ only in one component.
package alike
