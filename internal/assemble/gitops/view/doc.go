// Package view reads the fields of objects, each with the place in the user's file that sets it.
package view
