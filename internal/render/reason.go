package render

import "sync/atomic"

// Reason is why a folder is built.
type Reason int

// Reasons of builds. One for each unit is enough if nothing fails and its files show which entry sets a field.
const (
	ForUnit    Reason = iota
	ForOrigins        // again, because only kustomize knows the file of an object
	ForTrial          // without an entry, to find out what it sets
	ForAttempt        // again without an entry that could not be built
	ForProof          // to verify fixes
	reasons
)

// String returns a word for the reason.
func (r Reason) String() string {
	return [reasons]string{"unit", "origins", "trial", "attempt", "proof"}[r]
}

// ByReason are numbers of builds, by reason.
type ByReason [reasons]int

type countByReason [reasons]atomic.Int64

func (c *countByReason) numbers() (n ByReason) {
	for i := range c {
		n[i] = int(c[i].Load())
	}
	return n
}
