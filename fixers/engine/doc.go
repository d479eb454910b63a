// Package engine holds what all fixers share: the view of the repository, the plans that fixers make, and merging. [Merge] turns
// the plans of a run into the new bytes of files. The engine knows no fixer.
package engine
