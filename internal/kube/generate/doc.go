// Package generate says in which form salint writes objects: roles, bindings and accounts.
package generate
