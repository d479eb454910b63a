//go:build !unix

package child

// limitProcess does nothing, because this system has no such limits. Go's garbage collector limits the memory, the parent
// limits the time, and requests that need the network are refused before they reach this process.
func limitProcess(int64) {}
