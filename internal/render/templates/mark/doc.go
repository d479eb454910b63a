// Package mark puts markers around the pieces of a template and finds them in the rendered text, so that the source of each
// piece is known. Without the markers, the text must equal the plain rendering byte for byte; otherwise the template
// processes its own text, and is not traced.
package mark
