// Package udiff prints changes to files as a unified diff that git apply takes.
package udiff
