// Package finding holds the findings of a lint run: one problem at one place, its severity and its fix.
package finding
