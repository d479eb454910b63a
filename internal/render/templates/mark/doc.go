// Package mark puts markers around the pieces of a template and finds them again in what it was rendered to, so that each
// piece of the text is known by its source. The text without the markers must be what the template renders to without
// them, byte for byte: nothing is known of a template that works with its own text.
package mark
