// Package formats writes a plan in the format that the user names. What JSON promises to users is defined here.
package formats
