// Package loader turns a tree of files into what is applied together, for whoever asks about objects of some kinds: it
// picks the documents that matter by their bytes, parses only those, and puts their objects into deployment units.
//
// What could not be read is part of the answer. Whoever says "no" from a World has to say with it what the World lacks.
package loader
