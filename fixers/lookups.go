package fixers

import "github.com/salint/salint/internal/needs/preflight"

// BundleNeeds is what installing a bundle needs.
type BundleNeeds struct {
	// Bundle is the folder; Version is the one that the bundle says it is, "" where it does not.
	Bundle, Version string
	// All is the whole of it, and Missing what of it the identity does not hold.
	All, Missing []preflight.Scoped
}
