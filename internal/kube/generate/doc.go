// Package generate defines the form in which salint writes objects: roles, bindings, and accounts.
package generate
