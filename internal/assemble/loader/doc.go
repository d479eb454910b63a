// Package loader reads a repository and assembles its deployment units, for `lint` and for the commands that ask questions.
//
// It selects the documents that matter by their bytes, parses only those, and assigns their objects to deployment units. The
// result includes what could not be read: an answer "no" is complete only with that list.
package loader
