// Package version says which salint this is.
package version
