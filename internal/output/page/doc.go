// Package page makes the HTML pages of salint: one skeleton and one style for all of them, in a file that needs nothing else.
package page
