//go:build !unix

package child

// limitProcess does nothing: there are no limits that a process could set for itself. Memory has the limit of Go's
// collector, time the parent's, and what needs the network is refused before it gets here.
func limitProcess(int64) {}
