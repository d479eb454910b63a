// Package render turns kustomize folders, Helm charts and plain folders into the objects that would be applied.
//
// Nothing is taken from outside of the tree it is given: no network, no cluster, no program. Overlays are built and charts
// are rendered by the libraries of kustomize and Helm themselves, in a child process (package child) with limits on time
// and memory, for what they read may be hostile. The program that uses this package calls child.Main before anything else.
package render
