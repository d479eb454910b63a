//go:build !unix

package regular

import "os"

// Names reads files of a folder by their names.
type Names struct{ root *os.Root }

// OpenNames opens a folder, which stays the caller's to close.
func OpenNames(root *os.Root) *Names { return &Names{root} }

// Close does nothing.
func (n *Names) Close() {}

// Read is ReadIn.
func (n *Names) Read(name string, limit int64) ([]byte, error) { return ReadIn(n.root, name, limit) }
