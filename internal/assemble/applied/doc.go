// Package applied looks up what deployment units apply: the units of a file, the forms of a manifest, and which of several objects of one
// name a place means.
package applied
