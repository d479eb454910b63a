// Package diff prints changes to files as a unified diff that git apply takes.
package diff
