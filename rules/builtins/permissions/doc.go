// Package permissions holds the built-in functions about bindings, roles, and what limits them.
package permissions
