// Package bundles holds the built-in functions about the bundles of extensions, and the permissions that these require.
package bundles
