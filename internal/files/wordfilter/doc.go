// Package wordfilter selects the documents that are worth parsing: those of some kinds whose bytes have some words.
package wordfilter
