// Package values converts objects, roles, and paths to values of policies, and reads such values.
package values
