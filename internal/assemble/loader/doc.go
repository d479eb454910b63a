// Package loader turns a tree of files into what is applied together, for whoever asks about objects of some kinds: it
// picks the documents that matter by their bytes, parses only those, and puts their objects into deployment units.
//
// What could not be read is part of the answer. Whoever says "no" from a Repository has to say with it what the Repository lacks.
package loader
