// Package pods holds the built-in functions about pods, their accounts, and their Secrets.
package pods
