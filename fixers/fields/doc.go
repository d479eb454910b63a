// Package fields holds the general fixers, which rules of users request with arguments: they set or remove a label, an annotation, or a
// field of an object.
package fields
