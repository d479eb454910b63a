// Package verify verifies plans of the fixers before anything is written: the edited bytes are parsed again, and must
// differ from the old ones exactly by what the plans declare; the deployment units are assembled and built again, and must
// apply the same objects except for declared changes; and no identity may gain or lose a permission without a declaration.
//
// It takes the edited bytes from engine.Merge and trusts none of them: it parses and builds them itself. Plans that cannot be verified are dropped, with the reason.
package verify
