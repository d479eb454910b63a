// Package origin describes content that is fetched from elsewhere, and so is not read: which part of its address names a revision, which
// revisions releases make, and which settings can decide what it grants.
package origin
