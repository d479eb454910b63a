// Package finding holds what a lint run says: one problem at one place, how bad it is and how it is mended.
package finding
