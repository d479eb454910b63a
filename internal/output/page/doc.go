// Package page writes the HTML pages of salint: one skeleton and one style for all of them, each page in a self-contained
// file.
package page
